//! The intrinsics of AVX-512 and GFNI that this folder uses, in software, under their own names.
//!
//! With `--cfg avx512_in_software` the engines for these instructions run, slowly, on a CPU without them, so that the
//! tests of their algorithms and bounds run everywhere. Names and arguments are those of [`core::arch::x86_64`].

pub(crate) use core::arch::x86_64::*;

/// Eight words of 64 bits, the first in the lowest lane.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct __m512i([u64; 8]);

/// A bit for each word, the first in bit 0.
type Mask = u8;

/// Word i is f(i).
fn words(f: impl FnMut(usize) -> u64) -> __m512i {
    __m512i(core::array::from_fn(f))
}

/// Byte j of each word is f of byte j of a.
fn bytes(a: u64, f: impl Fn(usize, u8) -> u8) -> u64 {
    let a = a.to_le_bytes();
    u64::from_le_bytes(core::array::from_fn(|j| f(j, a[j])))
}

/// Bit i is f(i).
fn mask(f: impl Fn(usize) -> bool) -> Mask {
    (0..8).fold(0, |mask, i| mask | u8::from(f(i)) << i)
}

/// Bit i.
fn has(mask: Mask, i: usize) -> bool {
    mask >> i & 1 == 1
}

/// Field i, of two bits.
fn field(immediate: i32, i: usize) -> usize {
    (immediate >> (2 * i) & 3) as usize
}

/// The two words of a vector of 128 bits.
fn pair(a: __m128i) -> [u64; 2] {
    // SAFETY: both are 16 bytes, and every value of them is one.
    unsafe { core::mem::transmute(a) }
}

/// Lane i, of two words.
fn lane(a: __m512i, i: usize) -> __m128i {
    // SAFETY: both are 16 bytes, and every value of them is one.
    unsafe { core::mem::transmute([a.0[2 * i], a.0[2 * i + 1]]) }
}

/// The product of the lowest 52 bits.
fn product_of_digits(a: u64, b: u64) -> u128 {
    let digit = |word: u64| u128::from(word << 12 >> 12);
    digit(a) * digit(b)
}

/// The product over GF(2).
fn carryless_product(a: u64, b: u64) -> u128 {
    (0..64).filter(|bit| b >> bit & 1 == 1).fold(0, |sum, bit| sum ^ u128::from(a) << bit)
}

/// The product in GF(2^8) modulo x⁸ + x⁴ + x³ + x + 1.
fn product_in_aes(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0, |sum, bit| {
        let shifted = if sum & 0x80 == 0 { sum << 1 } else { sum << 1 ^ 0x1b };
        if b >> bit & 1 == 1 { shifted ^ a } else { shifted }
    })
}

/// The inverse in this field, a²⁵⁴; that of 0 is 0.
fn inverse_in_aes(a: u8) -> u8 {
    (0..253).fold(a, |power, _| product_in_aes(power, a))
}

/// The product of a matrix, whose row for bit i is byte 7 − i, with a byte.
fn matrix_product(matrix: u64, a: u8) -> u8 {
    let rows = matrix.to_be_bytes();
    (0..8).fold(0, |product, i| product | ((rows[i] & a).count_ones() as u8 & 1) << i)
}

/// Defines intrinsics by an expression for word i. The engines are unrolled: if these functions were inlined, they would
/// take minutes to compile.
macro_rules! by_words {
    ($(
        fn $name:ident $(<const $immediate:ident: $of:ty>)? ($($argument:ident: $kind:ty),*), $i:ident => $word:expr;
    )*) => {$(
        #[inline(never)]
        pub(crate) fn $name $(<const $immediate: $of>)? ($($argument: $kind),*) -> __m512i {
            words(|$i| $word)
        }
    )*};
}

by_words! {
    fn _mm512_setzero_si512(), _i => 0;
    fn _mm512_set1_epi64(word: i64), _i => word as u64;
    fn _mm512_broadcastq_epi64(a: __m128i), _i => pair(a)[0];
    fn _mm512_zextsi128_si512(a: __m128i), i => if i < 2 { pair(a)[i] } else { 0 };

    fn _mm512_add_epi64(a: __m512i, b: __m512i), i => a.0[i].wrapping_add(b.0[i]);
    fn _mm512_sub_epi64(a: __m512i, b: __m512i), i => a.0[i].wrapping_sub(b.0[i]);
    fn _mm512_and_si512(a: __m512i, b: __m512i), i => a.0[i] & b.0[i];
    fn _mm512_or_si512(a: __m512i, b: __m512i), i => a.0[i] | b.0[i];
    fn _mm512_xor_si512(a: __m512i, b: __m512i), i => a.0[i] ^ b.0[i];
    fn _mm512_max_epi64(a: __m512i, b: __m512i), i => (a.0[i] as i64).max(b.0[i] as i64) as u64;

    fn _mm512_mask_add_epi64(other: __m512i, chosen: Mask, a: __m512i, b: __m512i), i =>
        if has(chosen, i) { a.0[i].wrapping_add(b.0[i]) } else { other.0[i] };
    fn _mm512_mask_xor_epi64(other: __m512i, chosen: Mask, a: __m512i, b: __m512i), i =>
        if has(chosen, i) { a.0[i] ^ b.0[i] } else { other.0[i] };
    fn _mm512_mask_blend_epi64(chosen: Mask, a: __m512i, b: __m512i), i => if has(chosen, i) { b.0[i] } else { a.0[i] };
    fn _mm512_maskz_mov_epi64(chosen: Mask, a: __m512i), i => if has(chosen, i) { a.0[i] } else { 0 };

    fn _mm512_srli_epi64<const BITS: u32>(a: __m512i), i => a.0[i].checked_shr(BITS).unwrap_or(0);
    fn _mm512_slli_epi64<const BITS: u32>(a: __m512i), i => a.0[i].checked_shl(BITS).unwrap_or(0);
    fn _mm512_srl_epi64(a: __m512i, bits: __m128i), i => if pair(bits)[0] < 64 { a.0[i] >> pair(bits)[0] } else { 0 };
    fn _mm512_sll_epi64(a: __m512i, bits: __m128i), i => if pair(bits)[0] < 64 { a.0[i] << pair(bits)[0] } else { 0 };
    fn _mm512_srlv_epi64(a: __m512i, bits: __m512i), i => if bits.0[i] < 64 { a.0[i] >> bits.0[i] } else { 0 };
    fn _mm512_srli_epi16<const BITS: u32>(a: __m512i), i =>
        (0..4).fold(0, |word, j| word | u64::from((a.0[i] >> (16 * j)) as u16 >> BITS) << (16 * j));
    fn _mm512_slli_epi16<const BITS: u32>(a: __m512i), i =>
        (0..4).fold(0, |word, j| word | u64::from(((a.0[i] >> (16 * j)) as u16) << BITS) << (16 * j));

    fn _mm512_permutexvar_epi64(places: __m512i, a: __m512i), i => a.0[(places.0[i] % 8) as usize];
    fn _mm512_permutex2var_epi64(a: __m512i, places: __m512i, b: __m512i), i => {
        let place = (places.0[i] % 16) as usize;
        if place < 8 { a.0[place] } else { b.0[place - 8] }
    };
    fn _mm512_permutex_epi64<const PLACES: i32>(a: __m512i), i => a.0[i / 4 * 4 + field(PLACES, i % 4)];
    fn _mm512_shuffle_i64x2<const LANES: i32>(a: __m512i, b: __m512i), i =>
        (if i < 4 { a } else { b }).0[2 * field(LANES, i / 2) + i % 2];
    fn _mm512_shuffle_epi32<const PLACES: i32>(a: __m512i), i => {
        let half = |k: usize| a.0[i / 2 * 2 + field(PLACES, k) / 2] >> (32 * (field(PLACES, k) % 2)) & 0xffff_ffff;
        half(i % 2 * 2) | half(i % 2 * 2 + 1) << 32
    };
    fn _mm512_alignr_epi64<const COUNT: i32>(above: __m512i, below: __m512i), i => {
        let place = i + COUNT as usize % 8;
        if place < 8 { below.0[place] } else { above.0[place - 8] }
    };
    fn _mm512_unpacklo_epi64(a: __m512i, b: __m512i), i => if i % 2 == 0 { a.0[i] } else { b.0[i - 1] };
    fn _mm512_unpackhi_epi64(a: __m512i, b: __m512i), i => if i % 2 == 0 { a.0[i + 1] } else { b.0[i] };

    fn _mm512_madd52lo_epu64(c: __m512i, a: __m512i, b: __m512i), i =>
        c.0[i].wrapping_add(product_of_digits(a.0[i], b.0[i]) as u64 % (1 << 52));
    fn _mm512_madd52hi_epu64(c: __m512i, a: __m512i, b: __m512i), i =>
        c.0[i].wrapping_add((product_of_digits(a.0[i], b.0[i]) >> 52) as u64);
    fn _mm512_mask_madd52lo_epu64(c: __m512i, chosen: Mask, a: __m512i, b: __m512i), i =>
        if has(chosen, i) { _mm512_madd52lo_epu64(c, a, b).0[i] } else { c.0[i] };
    fn _mm512_mask_madd52hi_epu64(c: __m512i, chosen: Mask, a: __m512i, b: __m512i), i =>
        if has(chosen, i) { _mm512_madd52hi_epu64(c, a, b).0[i] } else { c.0[i] };
    fn _mm512_clmulepi64_epi128<const PLACES: i32>(a: __m512i, b: __m512i), i => {
        let [x, y] = [a.0[i / 2 * 2 + (PLACES & 1) as usize], b.0[i / 2 * 2 + (PLACES >> 4 & 1) as usize]];
        (carryless_product(x, y) >> (64 * (i % 2))) as u64
    };

    fn _mm512_mask_blend_epi8(chosen: u64, a: __m512i, b: __m512i), i =>
        bytes(a.0[i], |j, byte| if chosen >> (8 * i + j) & 1 == 1 { b.0[i].to_le_bytes()[j] } else { byte });
    fn _mm512_gf2p8mul_epi8(a: __m512i, b: __m512i), i =>
        bytes(a.0[i], |j, byte| product_in_aes(byte, b.0[i].to_le_bytes()[j]));
    fn _mm512_gf2p8affine_epi64_epi8<const PLUS: i32>(a: __m512i, matrices: __m512i), i =>
        bytes(a.0[i], |_, byte| matrix_product(matrices.0[i], byte) ^ PLUS as u8);
    fn _mm512_gf2p8affineinv_epi64_epi8<const PLUS: i32>(a: __m512i, matrices: __m512i), i =>
        bytes(a.0[i], |_, byte| matrix_product(matrices.0[i], inverse_in_aes(byte)) ^ PLUS as u8);
}

#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _mm512_setr_epi64(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64) -> __m512i {
    __m512i([a, b, c, d, e, f, g, h].map(|word| word as u64))
}

// SAFETY: to be called with 64 bytes there.
#[inline(never)]
pub(crate) unsafe fn _mm512_loadu_si512(from: *const __m512i) -> __m512i {
    // SAFETY: the caller has 64 bytes there.
    __m512i(unsafe { from.cast::<[u64; 8]>().read_unaligned() })
}

// SAFETY: to be called with 64 bytes there.
#[inline(never)]
pub(crate) unsafe fn _mm512_storeu_si512(to: *mut __m512i, a: __m512i) {
    // SAFETY: the caller has 64 bytes there.
    unsafe { to.cast::<[u64; 8]>().write_unaligned(a.0) }
}

#[inline(never)]
pub(crate) fn _mm512_castsi512_si128(a: __m512i) -> __m128i {
    lane(a, 0)
}

#[inline(never)]
pub(crate) fn _mm512_extracti32x4_epi32<const LANE: i32>(a: __m512i) -> __m128i {
    lane(a, LANE as usize)
}

#[inline(never)]
pub(crate) fn _mm512_cmplt_epu64_mask(a: __m512i, b: __m512i) -> Mask {
    mask(|i| a.0[i] < b.0[i])
}

#[inline(never)]
pub(crate) fn _mm512_cmpeq_epi64_mask(a: __m512i, b: __m512i) -> Mask {
    mask(|i| a.0[i] == b.0[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: __m512i = __m512i([0, 1, 2, 3, 4, 5, 6, 7]);
    const ABOVE: __m512i = __m512i([8, 9, 10, 11, 12, 13, 14, 15]);

    #[test]
    fn words_move_as_documented() {
        assert_eq!(_mm512_alignr_epi64::<3>(ABOVE, PLACES).0, [3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(_mm512_alignr_epi64::<7>(ABOVE, PLACES).0, [7, 8, 9, 10, 11, 12, 13, 14]);
        assert_eq!(_mm512_permutex_epi64::<0b00_11_10_01>(PLACES).0, [1, 2, 3, 0, 5, 6, 7, 4]);
        assert_eq!(_mm512_shuffle_i64x2::<0b11_00_01_10>(PLACES, ABOVE).0, [4, 5, 2, 3, 8, 9, 14, 15]);
        assert_eq!(_mm512_unpacklo_epi64(PLACES, ABOVE).0, [0, 8, 2, 10, 4, 12, 6, 14]);
        assert_eq!(_mm512_unpackhi_epi64(PLACES, ABOVE).0, [1, 9, 3, 11, 5, 13, 7, 15]);
        let places = __m512i([15, 0, 8, 7, 16, 23, 1, 9]);
        assert_eq!(_mm512_permutex2var_epi64(PLACES, places, ABOVE).0, [15, 0, 8, 7, 0, 7, 1, 9]);
        assert_eq!(_mm512_permutexvar_epi64(places, ABOVE).0, [15, 8, 8, 15, 8, 15, 9, 9]);
        let halves = __m512i([0x1_0000_0000, 0x3_0000_0002, 4, 5, 6, 7, 8, 9]);
        assert_eq!(_mm512_shuffle_epi32::<0x4e>(halves).0, [0x3_0000_0002, 0x1_0000_0000, 5, 4, 7, 6, 9, 8]);
        assert_eq!(_mm512_shuffle_epi32::<0xb1>(halves).0[..2], [1, 0x2_0000_0003]);
    }

    #[test]
    fn shifts_by_a_word_or_more_give_zero() {
        let ones = _mm512_set1_epi64(-1);
        assert_eq!(_mm512_srlv_epi64(ones, __m512i([0, 1, 63, 64, 65, u64::MAX, 8, 60])).0, {
            [u64::MAX, u64::MAX / 2, 1, 0, 0, 0, u64::MAX >> 8, 15]
        });
        assert_eq!(
            (_mm512_srli_epi64::<64>(ones).0, _mm512_slli_epi64::<63>(ones).0),
            ([0; 8], [1 << 63; 8])
        );
        assert_eq!(_mm512_slli_epi16::<8>(ones).0, [0xff00_ff00_ff00_ff00; 8]);
        assert_eq!(_mm512_srli_epi16::<12>(ones).0, [0x000f_000f_000f_000f; 8]);
    }

    #[test]
    fn masks_choose_words() {
        assert_eq!(_mm512_cmplt_epu64_mask(PLACES, _mm512_set1_epi64(3)), 0b0000_0111);
        assert_eq!(_mm512_cmplt_epu64_mask(PLACES, _mm512_set1_epi64(-1)), 0xff);
        assert_eq!(_mm512_cmpeq_epi64_mask(PLACES, _mm512_set1_epi64(3)), 0b0000_1000);
        assert_eq!(_mm512_mask_blend_epi64(0b11, PLACES, ABOVE).0, [8, 9, 2, 3, 4, 5, 6, 7]);
        assert_eq!(_mm512_maskz_mov_epi64(0b1010, ABOVE).0, [0, 9, 0, 11, 0, 0, 0, 0]);
        assert_eq!(_mm512_mask_add_epi64(ABOVE, 0b11, PLACES, PLACES).0, [0, 2, 10, 11, 12, 13, 14, 15]);
        assert_eq!(_mm512_max_epi64(_mm512_set1_epi64(-2), PLACES), PLACES);
    }

    #[test]
    fn digits_multiply_as_their_low_and_high_halves() {
        let largest = _mm512_set1_epi64(-1); // of which 52 bits count
        assert_eq!(_mm512_madd52lo_epu64(PLACES, largest, largest).0, [1, 2, 3, 4, 5, 6, 7, 8]);
        let high = (1u64 << 52) - 2;
        assert_eq!(_mm512_madd52hi_epu64(PLACES, largest, largest).0, PLACES.0.map(|word| word + high));
        assert_eq!(_mm512_mask_madd52lo_epu64(PLACES, 1, largest, largest).0, [1, 1, 2, 3, 4, 5, 6, 7]);
    }

    /// Intel's "Carry-Less Multiplication Instruction and its Usage for Computing the GCM Mode", Figures 3 and 4.
    #[test]
    fn words_multiply_without_carries() {
        let a = [0x6374_6f72_5d53_475d, 0x7b5b_5465_7374_5665];
        let b = [0x5b47_7565_726f_6e5d, 0x4869_2853_6861_7929];
        let [a, b] = [a, b].map(|pair| words(|i| pair[i % 2]));
        let low = [0x9296_33d5_d36f_0451, 0x1d4d_84c8_5c34_40c0];
        assert_eq!(_mm512_clmulepi64_epi128::<0x00>(a, b).0[..2], low);
        assert_eq!(
            _mm512_clmulepi64_epi128::<0x11>(a, b).0[6..],
            [0xd66e_e03e_410f_d4ed, 0x1d1e_1f2c_592e_7c45]
        );
        assert_eq!(_mm512_clmulepi64_epi128::<0x10>(a, b), _mm512_clmulepi64_epi128::<0x01>(b, a));
    }

    /// [FIPS 197], §4.2 and §5.1.1: {57}·{83} = {c1}, and the table of SubBytes.
    #[test]
    fn bytes_multiply_and_are_inverted_as_in_aes() {
        let [x, y] = [0x57, 0x83].map(|byte| _mm512_set1_epi64(byte << 56));
        assert_eq!(_mm512_gf2p8mul_epi8(x, y).0, [0xc1 << 56; 8]);
        let bytes_of_aes = __m512i([0x53_52_51_50_03_02_01_00; 8]);
        let sub_bytes = _mm512_set1_epi64(0xf1e3_c78f_1f3e_7cf8u64 as i64);
        let substituted = _mm512_gf2p8affineinv_epi64_epi8::<0x63>(bytes_of_aes, sub_bytes);
        assert_eq!(substituted.0, [0xed_00_d1_53_7b_77_7c_63; 8]);
        let identity = _mm512_set1_epi64(0x0102_0408_1020_4080);
        assert_eq!(_mm512_gf2p8affine_epi64_epi8::<0>(bytes_of_aes, identity), bytes_of_aes);
        assert_eq!(
            _mm512_mask_blend_epi8(0x80, x, y).0,
            [0x83 << 56, x.0[1], x.0[1], x.0[1], x.0[1], x.0[1], x.0[1], x.0[1]]
        );
    }
}
