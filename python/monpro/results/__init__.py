"""What is recorded under results/: the machine, the files, and the tables and curves made of them."""
