//! The walk: each result is compared with that of another way to compute it.

use monpro::diffie_hellman::Group;
use monpro::ring::RingName;
use monpro::{
    BATCH_ENGINES, BinaryField, CrtTask, FixedBase, KERNELS, Kernel, Method, Modulus, PowTask, modexp,
    modexp_vartime, natural, pow, pow_batch_on, pow_crt_batch, pow_crt_batch_on, pow_with,
};

/// The most words of a modulus of the walk over all lengths.
const MOST_WORDS: usize = 80;
/// Up to here every kernel computes whole powers; beyond, only short ones.
const MOST_WORDS_OF_POWERS: usize = 24;

/// Walks everything; returns the number of results that were compared.
pub fn everything() -> usize {
    let kernels: usize = KERNELS.iter().filter(|kernel| kernel.is_available()).map(kernel).sum();
    kernels + batches() + batches_by_primes() + bytes() + even_moduli() + fields() + groups()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn words(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.word()).collect()
    }

    /// An odd number of this many words.
    fn odd(&mut self, words: usize) -> Vec<u64> {
        let mut n = self.words(words);
        n[0] |= 1;
        n[words - 1] |= 1 << 63;
        n
    }
}

/// Moduli of this many words: random, all ones, and sparse, which some kernels over GF(2) want.
fn moduli(words: usize, random: &mut Random) -> [Vec<u64>; 3] {
    let mut sparse = vec![0; words];
    sparse[0] = 0b10_1101;
    sparse[words - 1] |= 1 << 63;
    [random.odd(words), vec![u64::MAX; words], sparse]
}

/// Whether a kernel multiplies bit by bit or by tables, which takes long.
fn is_slow(kernel: &Kernel) -> bool {
    kernel.name.contains("emulation") || kernel.name.contains("tables") || kernel.radix_bits < 32
}

/// The portable kernel that another is compared with.
fn reference(ring: RingName) -> &'static Kernel {
    let name = match ring {
        RingName::Integers => "cios-pairs",
        RingName::BinaryPolynomials => "cios-gf2",
    };
    KERNELS.iter().find(|kernel| kernel.name == name).expect("it is for every CPU")
}

fn kernel(kernel: &'static Kernel) -> usize {
    let mut random = Random(kernel.radix_bits.into());
    let mut results = 0;
    for words in (1..=MOST_WORDS).chain([128, 256, 512]) {
        let few = words > MOST_WORDS_OF_POWERS && is_slow(kernel);
        if few && words % 16 != 0 || words > MOST_WORDS && is_slow(kernel) {
            continue;
        }
        for n in moduli(words, &mut random).iter().filter(|n| kernel.supports(n)) {
            let x = random.words(words + words % 3);
            let y = random.words(words);
            let with_tables = words <= MOST_WORDS_OF_POWERS && !is_slow(kernel);
            let e = if words > MOST_WORDS_OF_POWERS { vec![0b1_0110] } else { random.words(2) };
            let [ours, expected] = [kernel, reference(kernel.ring)]
                .map(|kernel| operations(kernel, n, [&x, &y, &e], with_tables));
            assert_eq!(ours, expected, "{}: {words} words", kernel.name);
            results += ours.len();
        }
    }
    println!("page-guard: kernel {:<40} {results} results", kernel.name);
    results
}

/// The results of all operations on residues; those by more tables of powers on request.
fn operations(
    kernel: &'static Kernel,
    n: &[u64],
    [x, y, e]: [&[u64]; 3],
    with_tables: bool,
) -> Vec<Vec<u64>> {
    let modulus = Modulus::with_kernel(kernel, n).expect("the kernel takes the modulus");
    let (x, y) = (modulus.residue(x), modulus.residue(y));
    let e_bits = natural::bit_length(e);
    let mut results = vec![
        &x * &y,
        x.square(),
        &x + &y,
        &x - &y,
        -&x,
        x.pow_bounded(e, e_bits),
        x.pow_vartime(e),
        modulus.residue_from_words(&x.words()).expect("the words are those of a residue"),
    ];
    if with_tables {
        results.push(FixedBase::new(&x, e_bits).expect("the bound is small").pow(e));
        results.push(modulus.multi_pow(&[(&x, e), (&y, &e[..1])]));
        results.push(modulus.multi_pow_vartime(&[(&x, e), (&y, &e[..1])]));
        results.push(x.pow_binary_vartime(e));
    }
    results.iter().map(monpro::Residue::to_number).collect()
}

fn batches() -> usize {
    let mut random = Random(2);
    let mut results = 0;
    for words in 1..=MOST_WORDS {
        let numbers: Vec<_> = (0..=words % 8)
            .map(|i| {
                (
                    random.words(words + i % 2),
                    random.words(1 + i % 2),
                    random.odd(words - i % 2 * (words / 2)),
                )
            })
            .collect();
        let tasks: Vec<_> = numbers.iter().map(|(x, e, n)| PowTask::new(x, e, n)).collect();
        let expected = pow_batch_on(&[], &tasks).powers;
        for engine in BATCH_ENGINES.iter().filter(|engine| engine.unavailable_reason().is_none()) {
            let taken: Vec<_> =
                tasks.iter().zip(&expected).filter(|(task, _)| engine.supports(task)).collect();
            for group in taken.chunks(engine.tasks_at_once()) {
                let group_tasks: Vec<_> = group.iter().map(|(task, _)| **task).collect();
                let powers = engine.pow(&group_tasks).expect("the engine runs here and takes the tasks");
                let expected: Vec<_> = group.iter().map(|(_, power)| (*power).clone()).collect();
                assert_eq!(powers.into_iter().map(Ok).collect::<Vec<_>>(), expected, "{words} words");
                results += group.len();
            }
        }
    }
    results
}

fn batches_by_primes() -> usize {
    let mut random = Random(3);
    let mut results = 0;
    for words in 1..=40 {
        // 1 is the inverse of q = p + 1 + … only for some: q = k·p + 1 is 1 modulo p.
        let p = random.odd(words);
        let mut q = vec![0; words + 1];
        let mut carry = 0;
        for (target, &word) in q.iter_mut().zip(p.iter().chain([&0])) {
            (*target, carry) = (word << 1 | carry, word >> 63);
        }
        q[0] |= 1;
        let (x, d_p, d_q) = (random.words(2 * words), random.words(1), random.words(2));
        let task = CrtTask { base: &x, p: &p, q: &q, d_p: &d_p, d_q: &d_q, q_inverse: &[1] };
        let tasks = vec![task; 1 + words % 9];
        let expected = pow_crt_batch_on(&[], &tasks).powers;
        assert!(expected.iter().all(Result::is_ok), "{words} words");
        assert_eq!(pow_crt_batch(&tasks), expected, "{words} words");
        results += tasks.len();
    }
    results
}

/// Byte interfaces, whose lengths are not those of whole words.
fn bytes() -> usize {
    let mut random = Random(4);
    let mut results = 0;
    for length in 1..=200 {
        let mut bytes = |count: usize| -> Vec<u8> { (0..count).map(|_| random.word() as u8).collect() };
        let (x, e, mut n) = (bytes(length + length % 5), bytes(length % 13), bytes(length));
        n[length - 1] |= (length % 2) as u8;
        let power = modexp(&x, &e, &n);
        assert_eq!(modexp_vartime(&x, &e, &n), power, "{length} bytes");
        let words = natural::from_be_bytes(&n);
        if natural::bit_length(&words) > 0 {
            let by_words = pow(&natural::from_be_bytes(&x), &natural::from_be_bytes(&e), &words);
            assert_eq!(natural::to_be_bytes(&by_words.expect("n is not 0"), length), power, "{length} bytes");
        }
        results += 2;
    }
    results
}

fn even_moduli() -> usize {
    let mut random = Random(5);
    let mut results = 0;
    for words in 1..=MOST_WORDS {
        for twos in [1, 63, 64, 65, 577, 769, 1025, 1217].into_iter().filter(|twos| twos / 64 < words) {
            let mut n = random.odd(words);
            n[..twos / 64].fill(0);
            n[twos / 64] = (n[twos / 64] | 1 << (twos % 64)) & u64::MAX << (twos % 64);
            let (x, e) = (random.words(words), random.words(1));
            let power = |method| pow_with(method, &x, &e, &n, Modulus::new).expect("n is not 0");
            assert_eq!(power(Method::FixedWindow), power(Method::BinaryVartime), "{words} words");
            results += 1;
        }
    }
    results
}

/// Fields of degrees in use, with every kernel that takes their polynomials.
fn fields() -> usize {
    let polynomials: [&[usize]; 6] = [
        &[8, 4, 3, 1, 0],
        &[64, 4, 3, 1, 0],
        &[163, 7, 6, 3, 0],
        &[233, 74, 0],
        &[409, 87, 0],
        &[571, 10, 5, 2, 0],
    ];
    let kernels = || {
        let gf2 = |kernel: &&Kernel| kernel.ring == RingName::BinaryPolynomials && kernel.is_available();
        KERNELS.iter().filter(gf2)
    };
    let mut results = 0;
    for exponents in polynomials {
        let polynomial = BinaryField::polynomial_of(exponents).expect("the exponents are different");
        let mut expected: Option<Vec<Vec<u8>>> = None;
        for kernel in kernels() {
            let Ok(field) = BinaryField::with_kernel(kernel, &polynomial) else { continue };
            let mut random = Random(field.degree() as u64);
            let mut element = || {
                let mut number = random.words(field.degree().div_ceil(64));
                number[field.degree() / 64..]
                    .iter_mut()
                    .for_each(|top| *top &= (1 << (exponents[0] % 64)) - 1);
                field.element(&number).expect("its degree is below that of the field")
            };
            let (x, y) = (element(), element());
            let dot = field.dot(&[&x, &y], &[&y, &x]).expect("the lists are of one length");
            let inverses = field.batch_inverse(&[&x, &y]).expect("neither is 0");
            let mut elements = vec![&x * &y, x.square(), &x + &y, x.sqrt(), dot];
            elements.push(x.inverse().expect("it is not 0"));
            elements.extend(inverses);
            let octets: Vec<Vec<u8>> =
                elements.iter().map(|element| element.to_be_bytes().to_vec()).collect();
            results += octets.len();
            assert_eq!(*expected.get_or_insert_with(|| octets.clone()), octets, "{}", kernel.name);
        }
    }
    results
}

fn groups() -> usize {
    let mut results = 0;
    for name in ["ffdhe2048", "ffdhe3072"] {
        let group = Group::named(name).expect("the name is known");
        let key =
            |octet: u8| group.private_key(&vec![octet; group.private_octets()]).expect("the octets fit");
        let (alice, bob) = (key(1), key(2));
        let secret = alice.agree(bob.public_value()).expect("the public value is in the group");
        let same = bob.agree(alice.public_value()).expect("the public value is in the group");
        assert_eq!(secret.octets(), same.octets(), "{name}");
        results += 1;
    }
    results
}
