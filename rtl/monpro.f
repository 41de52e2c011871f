// The sources of monpro in dependency levels: cells, processing elements, arrays of them,
// multipliers, exponentiators.
monpro_cell_booth.sv
monpro_cell_brfa.sv
monpro_cell_cfa.sv
monpro_cell_csa.sv
monpro_cell_digits.sv
monpro_cell_multiple.sv
monpro_cell_multiples.sv
monpro_cell_ram.sv
monpro_cell_skip_d.sv
monpro_cell_sm3.sv
monpro_cell_zero_d.sv
monpro_pe_ccsa_slice.sv
monpro_pe_scalable_left.sv
monpro_pe_scalable_right.sv
monpro_array_scalable.sv
monpro_mul_fcs_mm_1.sv
monpro_mul_fcs_mm_2.sv
monpro_mul_fcs_mmm42.sv
monpro_mul_mm.sv
monpro_mul_mscs_mm.sv
monpro_mul_scalable.sv
monpro_mul_scs_mm_1.sv
monpro_mul_scs_mm_2.sv
monpro_mul_scs_mm_new.sv
monpro_exp_binary.sv
