import contextlib
import io

import cv2
import numpy as np
import pytest
from PIL import Image

from robustocr.errors import ImageError
from robustocr.images import MAX_PIXELS_VARIABLE, decode_image, file_sha256, image_size, load_image

TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


@pytest.fixture
def quarters():
    """A picture 40 high and 60 wide whose quarters are red, green, blue and white."""
    pixels = np.full((40, 60, 3), 255, np.uint8)
    pixels[:20, :30] = (255, 0, 0)
    pixels[:20, 30:] = (0, 255, 0)
    pixels[20:, :30] = (0, 0, 255)
    return pixels


def encoded(image, format, **options):
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_is_turned_upright(quarters, tmp_path, format, orientation):
    upright = Image.fromarray(quarters)
    turn = TURNS.get(orientation)
    expected = np.asarray(upright if turn is None else upright.transpose(turn)).astype(int)
    exif = Image.Exif()
    exif[0x0112] = orientation
    tag = {"tiffinfo": {0x0112: orientation}} if format == "TIFF" else {"exif": exif}
    path = tmp_path / "picture"
    path.write_bytes(encoded(upright, format, **tag))
    loaded = load_image(path)
    assert loaded.shape == expected.shape
    assert np.abs(loaded - expected).mean() < 15
    assert image_size(path) == expected.shape[:2]


def test_grey_palette_and_one_bit_become_rgb(quarters):
    image = Image.fromarray(quarters)
    grey = np.asarray(image.convert("L"))
    for mode, format in (("L", "PNG"), ("L", "JPEG")):
        loaded = decode_image(
            encoded(image.convert(mode), format, **({"quality": 100} if format == "JPEG" else {})), "x"
        )
        assert np.abs(loaded.astype(int) - grey[..., None]).max() <= 3
    palette = decode_image(encoded(image.convert("P", palette=Image.Palette.ADAPTIVE), "PNG"), "x")
    assert np.abs(palette.astype(int) - quarters).max() <= 2
    bits = decode_image(encoded(image.convert("L").point(lambda v: 255 * (v > 100)).convert("1"), "PNG"), "x")
    assert np.array_equal(bits[..., 0], np.where(grey > 100, 255, 0))


def test_cmyk_jpegs_with_and_without_adobes_inverted_ink(quarters):
    adobe = encoded(Image.fromarray(quarters).convert("CMYK"), "JPEG", quality=100)
    assert np.abs(decode_image(adobe, "adobe").astype(int) - quarters).mean() < 2
    marker = adobe.index(b"\xff\xee")
    length = int.from_bytes(adobe[marker + 2 : marker + 4], "big")
    plain = adobe[:marker] + adobe[marker + 2 + length :]
    # Without the marker the stored numbers are ink itself: the same bytes mean the inverse of every ink.
    ink = 255 - np.asarray(Image.fromarray(quarters).convert("CMYK"))
    inverse = np.asarray(Image.frombytes("CMYK", (60, 40), ink.tobytes()).convert("RGB"))
    assert np.abs(decode_image(plain, "plain").astype(int) - inverse).mean() < 2


@pytest.mark.parametrize("suffix", [".png", ".tif"])
def test_sixteen_bits_become_eight(quarters, tmp_path, suffix):
    colour, grey = tmp_path / f"colour{suffix}", tmp_path / f"grey{suffix}"
    cv2.imwrite(str(colour), quarters[..., ::-1].astype(np.uint16) * 257)
    assert np.array_equal(load_image(colour), quarters)
    ramp = np.linspace(0, 65535, 40 * 60).reshape(40, 60).astype(np.uint16)
    Image.fromarray(ramp).save(grey)
    loaded = load_image(grey)
    assert loaded.dtype == np.uint8
    assert np.abs(loaded[..., 0] - ramp / 257).max() <= 0.51


def test_transparency_is_laid_on_white(quarters):
    alpha = np.full((40, 60, 1), 255, np.uint8)
    alpha[20:, 30:] = 0
    alpha[:20, 30:] = 128
    image = Image.fromarray(
        np.concatenate([np.where(alpha == 0, 0, quarters), alpha], axis=2).astype(np.uint8)
    )
    for format in ("PNG", "WEBP"):
        loaded = decode_image(encoded(image, format, **({"lossless": True} if format == "WEBP" else {})), "x")
        assert loaded[30, 45].tolist() == [255, 255, 255]
        assert np.abs(loaded[10, 45].astype(int) - [127, 255, 127]).max() <= 1
        assert loaded[10, 10].tolist() == [255, 0, 0]
    grey = image.convert("LA")
    assert decode_image(encoded(grey, "PNG"), "x")[30, 45].tolist() == [255, 255, 255]
    keyed = encoded(Image.fromarray(quarters), "PNG", transparency=(0, 0, 255))
    assert decode_image(keyed, "x")[30, 10].tolist() == [255, 255, 255]


def test_of_several_pages_the_first(quarters):
    pages = [Image.fromarray(quarters), Image.new("RGB", (9, 9))]
    assert np.array_equal(
        decode_image(encoded(pages[0], "TIFF", save_all=True, append_images=pages[1:]), "x"), quarters
    )


def test_the_array_is_writable_and_contiguous(quarters):
    loaded = decode_image(encoded(Image.fromarray(quarters), "PNG"), "x")
    assert loaded.flags.writeable
    assert loaded.flags.c_contiguous


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"no picture", "no picture format known"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "HEIC"),
        (b"version https://git-lfs.github.com/spec/v1", "git lfs pull"),
        (b"<!DOCTYPE html><html>", "web page"),
    ],
)
def test_what_is_no_picture_is_named_with_advice(tmp_path, data, words):
    path = tmp_path / "receipt.jpg"
    path.write_bytes(data)
    for read in (load_image, image_size):
        with pytest.raises(ImageError, match=words) as caught:
            read(path)
        assert "receipt.jpg" in str(caught.value)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_truncated_file_is_named(tmp_path, format, share):
    noise = np.random.default_rng(0).integers(0, 255, (80, 80, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), format)
    path = tmp_path / "cut.img"
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(ImageError, match=r"cut\.img"):
        load_image(path)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF", "GIF"])
def test_damaged_bytes_give_a_picture_or_an_image_error(tmp_path, format):
    rng = np.random.default_rng(7)
    data = encoded(Image.fromarray(rng.integers(0, 255, (40, 30, 3), dtype=np.uint8)), format)
    path = tmp_path / "damaged"
    for _ in range(60):
        damaged = bytearray(data)
        for place in rng.integers(0, min(len(data), 300), 5):
            damaged[place] = rng.integers(0, 256)
        path.write_bytes(damaged)
        # Anything but a picture or an ImageError fails.
        with contextlib.suppress(ImageError):
            pixels = load_image(path)
            assert (pixels.dtype, pixels.ndim, pixels.shape[2]) == (np.uint8, 3, 3)
        with contextlib.suppress(ImageError):
            assert min(image_size(path)) >= 1


def test_missing_files_and_folders_are_named(tmp_path):
    for read in (load_image, image_size, file_sha256):
        with pytest.raises(ImageError, match=r"nowhere\.png does not exist"):
            read(tmp_path / "nowhere.png")
        with pytest.raises(ImageError, match="folder"):
            read(tmp_path)


def test_too_many_pixels_are_refused_and_the_limit_can_be_moved(tmp_path, monkeypatch, quarters):
    path = tmp_path / "big.png"
    Image.fromarray(quarters).save(path)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", Image.MAX_IMAGE_PIXELS)
    for limit in ("2399", "1199", "1000"):
        monkeypatch.setenv(MAX_PIXELS_VARIABLE, limit)
        for read in (load_image, image_size):
            with pytest.raises(ImageError, match=rf"big\.png is too large.*{MAX_PIXELS_VARIABLE}"):
                read(path)
    monkeypatch.setenv(MAX_PIXELS_VARIABLE, "2400")
    assert load_image(path).shape == (40, 60, 3)
    monkeypatch.setenv(MAX_PIXELS_VARIABLE, "many")
    with pytest.raises(ImageError, match="many"):
        load_image(path)


def test_deep_values_that_fit_no_scale_are_refused(tmp_path):
    path = tmp_path / "deep.tif"
    Image.fromarray(np.full((4, 4), 70_000, np.int32)).save(path)
    with pytest.raises(ImageError, match="32-bit"):
        load_image(path)
    Image.fromarray(np.full((4, 4), 0.5, np.float32)).save(path)
    with pytest.raises(ImageError, match="floating-point"):
        load_image(path)


def test_the_hash_is_that_of_the_bytes(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert file_sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_every_real_receipt_decodes_to_the_size_its_header_says(real_data):
    paths = (
        sorted((real_data / "german").glob("*.jpg"))[:6]
        + sorted((real_data / "SROIE2019").rglob("*.jpg"))[:6]
    )
    for path in paths:
        assert load_image(path).shape[:2] == image_size(path)
