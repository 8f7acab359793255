"""What must add up on a receipt, what cannot be true, and which field is to blame."""
