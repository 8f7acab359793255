"""What a person reads of a run: the terminal table and the HTML report."""
