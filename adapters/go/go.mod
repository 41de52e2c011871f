module monpro

go 1.24
