from robustocr.assets import asset
from robustocr.loaders.registry import load
from robustocr.rules.check import check


def test_every_receipt_of_the_bundled_sample_closes_without_suspects():
    samples = load(asset("datasets/sample")).samples
    assert len(samples) >= 24
    verdicts = {sample.id: check(sample.truth) for sample in samples if sample.truth is not None}
    assert {key for key, one in verdicts.items() if one.status != "closes" or one.suspects} == set()
