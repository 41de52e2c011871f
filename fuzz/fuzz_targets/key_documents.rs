//! Key documents that are almost right, and octets that are none: no parser may panic or take longer than the limit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monpro_fuzz::clock::time_within;
use monpro_fuzz::documents::{Document, LIMIT, parse, read};
use monpro_fuzz::input::Input;

/// How many times slower this program is than one without checks and without the fuzzer's counters.
const SLOWNESS: u32 = 6;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let document = match input.below(8) {
        0 => Document::Der(input.bytes(usize::MAX).to_vec()),
        1 => Document::Pem(String::from_utf8_lossy(input.bytes(usize::MAX)).into_owned()),
        _ => read(&mut input),
    };
    let time = time_within(SLOWNESS * LIMIT, || _ = parse(&document));
    assert!(time <= SLOWNESS * LIMIT, "a document takes {time:?}");
});
