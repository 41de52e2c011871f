"""The records under results/: the machine, the files, and the tables and curves made from them."""
