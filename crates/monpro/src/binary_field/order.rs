//! The multiplicative group of a field, which is cyclic and has 2^k − 1 elements: orders and generators.

use super::{BinaryField, FieldElement, FieldError};
use crate::cancellation::checkpoint;

impl BinaryField {
    /// The highest degree k for which the primes that divide 2^k − 1 are known here.
    pub const MAX_ORDER_DEGREE: usize = PRIMES_BY_ORDER.len();

    /// Whether x generates the multiplicative group: whether the polynomial is primitive.
    ///
    /// # Errors
    /// [`FieldError::UnknownGroupOrder`] for a degree above [`BinaryField::MAX_ORDER_DEGREE`].
    pub fn is_primitive(&self) -> Result<bool, FieldError> {
        let x = self.element(if self.degree() == 1 { &[1] } else { &[2] })?;
        x.generates_vartime()
    }

    /// The least generator of the multiplicative group, as a number.
    ///
    /// # Errors
    /// [`FieldError::UnknownGroupOrder`] for a degree above [`BinaryField::MAX_ORDER_DEGREE`].
    pub fn generator(&self) -> Result<FieldElement, FieldError> {
        let mut number = 1;
        loop {
            checkpoint();
            let element = self.element(&[number])?;
            if element.generates_vartime()? {
                return Ok(element);
            }
            number += 1;
        }
    }
}

impl FieldElement {
    /// The multiplicative order: the least e > 0 with xᵉ = 1. Time depends on x.
    ///
    /// # Errors
    /// [`FieldError::OrderOfZero`]; [`FieldError::UnknownGroupOrder`] for a degree above
    /// [`BinaryField::MAX_ORDER_DEGREE`].
    pub fn order_vartime(&self) -> Result<u128, FieldError> {
        let primes = primes_of_the_group(self.field().degree())?;
        if self.is_zero() {
            return Err(FieldError::OrderOfZero);
        }
        let mut order = group_order(self.field().degree());
        for prime in primes {
            while order % prime == 0 && self.power_is_one(order / prime) {
                order /= prime;
            }
        }
        Ok(order)
    }

    /// Whether the order is 2^k − 1.
    fn generates_vartime(&self) -> Result<bool, FieldError> {
        let order = group_order(self.field().degree());
        let mut primes = primes_of_the_group(self.field().degree())?;
        Ok(!self.is_zero() && primes.all(|prime| !self.power_is_one(order / prime)))
    }

    fn power_is_one(&self, e: u128) -> bool {
        self.pow_vartime(&[e as u64, (e >> 64) as u64]) == self.field().one()
    }
}

/// 2^k − 1 for 1 ≤ k ≤ 128.
fn group_order(k: usize) -> u128 {
    u128::MAX >> (128 - k.min(128))
}

/// The primes that divide 2^k − 1: those modulo which the order of 2 divides k.
fn primes_of_the_group(k: usize) -> Result<impl Iterator<Item = u128>, FieldError> {
    if k > BinaryField::MAX_ORDER_DEGREE {
        return Err(FieldError::UnknownGroupOrder { degree: k });
    }
    let divisors = (1..=k).filter(move |d| k % d == 0);
    Ok(divisors.flat_map(|d| PRIMES_BY_ORDER[d - 1].iter().copied()))
}

/// For d = 1, 2, …, 128 the primes modulo which 2 has the order d.
#[rustfmt::skip]
static PRIMES_BY_ORDER: [&[u128]; 128] = [
    &[], &[3], &[7], &[5], &[31], &[], &[127], &[17], &[73], &[11], &[23, 89], &[13], &[8_191], &[43], &[151],
    &[257], &[131_071], &[19], &[524_287], &[41], &[337], &[683], &[47, 178_481], &[241], &[601, 1_801], &[2_731],
    &[262_657], &[29, 113], &[233, 1_103, 2_089], &[331], &[2_147_483_647], &[65_537], &[599_479], &[43_691], &[71,
    122_921], &[37, 109], &[223, 616_318_177], &[174_763], &[79, 121_369], &[61_681], &[13_367, 164_511_353],
    &[5_419], &[431, 9_719, 2_099_863], &[397, 2_113], &[631, 23_311], &[2_796_203], &[2_351, 4_513, 13_264_529],
    &[97, 673], &[4_432_676_798_593], &[251, 4_051], &[103, 2_143, 11_119], &[53, 157, 1_613], &[6_361, 69_431,
    20_394_401], &[87_211], &[881, 3_191, 201_961], &[15_790_321], &[32_377, 1_212_847], &[59, 3_033_169],
    &[179_951, 3_203_431_780_337], &[61, 1_321], &[2_305_843_009_213_693_951], &[715_827_883], &[92_737, 649_657],
    &[641, 6_700_417], &[145_295_143_558_111], &[67, 20_857], &[193_707_721, 761_838_257_287], &[137, 953, 26_317],
    &[10_052_678_938_039], &[281, 86_171], &[228_479, 48_544_121, 212_885_833], &[433, 38_737], &[439, 2_298_041,
    9_361_973_132_609], &[1_777, 25_781_083], &[100_801, 10_567_201], &[229, 457, 525_313],
    &[581_283_643_249_112_959], &[22_366_891], &[2_687, 202_029_703, 1_113_491_139_767], &[4_278_255_361], &[2_593,
    71_119, 97_685_839], &[83, 8_831_418_697], &[167, 57_912_614_113_275_649_087_721], &[1_429, 14_449],
    &[9_520_972_806_333_758_431], &[2_932_031_007_403], &[4_177, 9_857_737_155_463], &[353, 2_931_542_417],
    &[618_970_019_642_690_137_449_562_111], &[18_837_001], &[911, 112_901_153, 23_140_471_537], &[277, 1_013, 1_657,
    30_269], &[658_812_288_653_553_079], &[283, 165_768_537_521], &[191, 420_778_751, 30_327_152_671], &[193,
    22_253_377], &[11_447, 13_842_607_235_828_485_645_766_393], &[4_363_953_127_297], &[199, 153_649,
    33_057_806_959], &[101, 8_101, 268_501], &[7_432_339_208_719, 341_117_531_003_194_129], &[307, 2_857, 6_529],
    &[2_550_183_799, 3_976_656_429_941_438_590_393], &[858_001, 308_761_441], &[29_191, 106_681, 152_041], &[107,
    28_059_810_762_433], &[162_259_276_829_213_363_391_578_010_288_127], &[246_241, 279_073], &[745_988_807,
    870_035_986_098_720_987_332_873], &[2_971, 48_912_491], &[321_679, 26_295_457, 319_020_217], &[5_153,
    54_410_972_897], &[3_391, 23_279, 65_993, 1_868_569, 1_066_818_132_868_207], &[571, 160_465_489], &[14_951,
    4_036_961, 2_646_507_710_984_041], &[107_367_629, 536_903_681], &[937, 6_553, 86_113, 7_830_118_297], &[2_833,
    37_171, 1_824_726_041], &[239, 20_231, 62_983_048_367, 131_105_292_137], &[4_562_284_561], &[727,
    1_786_393_878_363_164_227_858_270_210_279], &[768_614_336_404_564_651], &[3_887_047, 177_722_253_954_175_633],
    &[5_581, 8_681, 49_477, 384_773], &[269_089_806_001, 4_710_883_168_879_506_001], &[77_158_673_929],
    &[170_141_183_460_469_231_731_687_303_715_884_105_727], &[274_177, 67_280_421_310_721],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primes_are_all_that_divide_the_order_of_the_group() {
        for k in 1..=BinaryField::MAX_ORDER_DEGREE {
            let mut rest = group_order(k);
            for prime in primes_of_the_group(k).expect("the degree is low enough") {
                assert!(rest % prime == 0, "{prime} divides 2^{k} − 1");
                while rest % prime == 0 {
                    rest /= prime;
                }
            }
            assert_eq!(rest, 1, "2^{k} − 1");
        }
    }
}
