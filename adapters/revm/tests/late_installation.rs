//! After the first call of a contract it is too late.

use monpro_revm::{AlreadyInstalled, install};
use revm_precompile::modexp::osaka_run;

#[test]
fn a_call_before_the_installation_fixes_the_default() {
    // Three lengths of 1, and 3² mod 5.
    let mut input = [0; 99];
    (input[31], input[63], input[95]) = (1, 1, 1);
    input[96..].copy_from_slice(&[3, 2, 5]);
    assert_eq!(osaka_run(&input, 500).expect("enough gas").bytes.as_ref(), [4]);
    assert_eq!(install(), Err(AlreadyInstalled));
}
