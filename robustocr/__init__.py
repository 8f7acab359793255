"""robustocr: lower bounds for how well receipt readers do when the picture is bad."""
