//! Tolerances and limits, to the last digit and at any exponent.

use super::{AT_THE_LIMITS, check, verdicts};
use loan_ratios::decimal::{Decimal, sign_of_sum};
use std::cmp::Ordering;

fn output(dti: &str, ltv: &str, flag: bool) -> String {
    format!(r#"{{"dti": {dti}, "ltv": {ltv}, "flag": {flag}}}"#)
}

fn file(debt: &str, income: &str, amount: &str, value: &str) -> String {
    format!(
        r#"{{"monthly_debt": {debt}, "annual_income": {income}, "loan_amount": {amount}, "property_value": {value}}}"#
    )
}

#[test]
fn a_tenth_passes_and_a_hair_more_does_not() {
    let table = [
        ("43", "80", "PPPPP"),
        ("43.1", "79.9", "PPPPP"),
        ("42.9", "80.1", "PPPPP"),
        ("43.10", "7.99e1", "PPPPP"),
        ("0.431e2", "80100000e-6", "PPPPP"),
        ("43.000e0", "8000E-2", "PPPPP"),
        ("430e-1", "0.080e+3", "PPPPP"),
        ("43100.0e-3", "0.0801e03", "PPPPP"),
        ("43.1000000000000000000001", "80", "PFPPF"),
        ("42.8999999999999999999999", "80", "PFPPP"),
        ("43", "80.1000000000000000000000000000001", "PPFPF"),
        ("43", "79.8999999999999999999999999999999", "PPFPP"),
        ("0.43", "0.8", "PFFPP"),
        ("-43", "-80", "PFFPP"),
        ("1e400", "80", "PFPPF"),
        ("43", "1e-400", "PPFPP"),
        ("4300", "8000", "PFFPF"),
        ("0", "-0", "PFFPP"),
    ];
    for (dti, ltv, expected) in table {
        check(&output(dti, ltv, false), AT_THE_LIMITS, expected);
    }
}

#[test]
fn long_tails_are_not_rounded_away() {
    let zeros = "0".repeat(20_000);
    let nines = "9".repeat(20_000);
    check(&output(&format!("43.1{zeros}"), "80", false), AT_THE_LIMITS, "PPPPP");
    check(&output(&format!("43.1{zeros}1"), "80", false), AT_THE_LIMITS, "PFPPF");
    check(&output(&format!("42.8{nines}"), "80", false), AT_THE_LIMITS, "PFPPP");
    check(&output(&format!("42.9{zeros}1"), "80", false), AT_THE_LIMITS, "PPPPP");
    check(&output(&format!("431{zeros}e-20001"), "80", false), AT_THE_LIMITS, "PPPPP");
    check(&output(&format!("0.{zeros}431e20002"), "80", false), AT_THE_LIMITS, "PPPPP");
}

#[test]
fn a_ratio_without_an_end_is_compared_exactly() {
    // dti is 100 x 12 x 1 / 36 = 33.333..., ltv 100 x 2 / 3 = 66.666...
    let thirds = file("1", "36", "2", "3");
    let table = [
        ("33.33", "66.67", "PPPPP"),
        ("33.4333", "66.5667", "PPPPP"),
        (
            "33.43333333333333333333333333333333333333",
            "66.7666666666666666666666666666666666",
            "PPPPP",
        ),
        (
            "33.43333333333333333333333333333333333334",
            "66.7666666666666666666666666666666667",
            "PFFPP",
        ),
        (
            "33.23333333333333333333333333333333333334",
            "66.5666666666666666666666666666666667",
            "PPPPP",
        ),
        (
            "33.23333333333333333333333333333333333333",
            "66.5666666666666666666666666666666666",
            "PFFPP",
        ),
    ];
    for (dti, ltv, expected) in table {
        check(&output(dti, ltv, false), &thirds, expected);
    }
}

#[test]
fn the_limits_themselves_do_not_flag() {
    let at = ("2150", "60000", "160000", "200000");
    let just_dti = ("2150.0000000000000000000000001", "60000", "160000", "200000");
    let just_ltv = ("2150", "60000", "160000", "199999.99999999999999999999999");
    let both = ("3000", "60000", "190000", "200000");
    let low = ("100", "60000", "100", "200000");
    for ((debt, income, amount, value), due) in
        [(at, false), (just_dti, true), (just_ltv, true), (both, true), (low, false)]
    {
        let file = file(debt, income, amount, value);
        for flag in [true, false] {
            let found = verdicts(&output("43", "80", flag), vec![super::loan_file(&file)]);
            assert_eq!(&found[3..4], if flag == due { "P" } else { "F" }, "{file} {flag}");
        }
    }
}

#[test]
fn the_flag_is_judged_by_the_recomputed_ratios_not_the_stated() {
    // Recomputed 43 and 80 do not flag, whatever is stated.
    check(&output("50", "90", true), AT_THE_LIMITS, "PFFFP");
    check(&output("50", "90", false), AT_THE_LIMITS, "PFFPF");
    // 43.05 recomputed flags, though the stated 43.0 is close enough.
    let above = file("2152.5", "60000", "160000", "200000");
    check(&output("43.0", "80", true), &above, "PPPPP");
    check(&output("43.0", "80", false), &above, "PPPFP");
    // Right ratios, right flag, and yet the two do not fit each other's margins.
    check(&output("42.9", "79.9", true), AT_THE_LIMITS, "PPPFF");
}

#[test]
fn a_flag_agrees_with_ratios_a_tenth_away() {
    let table = [
        ("43.1", "80.1", false, 'P'),
        ("43.10000000000000000000001", "0", false, 'F'),
        ("0", "80.10000000000000000000001", false, 'F'),
        ("43.1", "80.2", false, 'F'),
        ("-1e999999999999999999999999", "-5", false, 'P'),
        ("1e999999999999999999999999", "-5", false, 'F'),
        ("42.9", "79.9", true, 'F'),
        ("42.90000000000000000000001", "79.9", true, 'P'),
        ("42.9", "79.90000000000000000000001", true, 'P'),
        ("43", "80", true, 'P'),
        ("43", "80", false, 'P'),
        ("43.05", "80.05", true, 'P'),
        ("42.8", "80.2", true, 'P'),
        ("0.42", "0.79", true, 'F'),
        ("-50", "-90", true, 'F'),
        ("1e-999999999999999999999999", "0", true, 'F'),
        ("429e-1", "0.0799e3", true, 'F'),
    ];
    for (dti, ltv, flag, expected) in table {
        let found = verdicts(&output(dti, ltv, flag), vec![]);
        assert_eq!(found, format!("PUUU{expected}"), "{dti} {ltv} {flag}");
    }
}

#[test]
fn huge_exponents_meet_exactly() {
    let e = "9".repeat(60);
    let at = |digits: &str, plus: &str| format!("{digits}e{plus}");
    // dti is 100 x 12 x 10^E / 10^(E - 1) = 12000, and ltv 100 x 10^-E / 10^-E = 100.
    let less = format!("{}8", "9".repeat(59));
    let same =
        file(&at("1", &e), &at("1", &less), &at("1", &format!("-{e}")), &at("1", &format!("-{e}")));
    check(&output("12000.1", "99.9", true), &same, "PPPPP");
    check(&output("12000.11", "99.89", true), &same, "PFFPP");
    // A stated dti of that size, over an income of one.
    let large = file(&at("1", &e), "1", "1", "1");
    check(&output(&at("1200", &e), "100", true), &large, "PPPPP");
    check(&output(&at("1201", &e), "100", true), &large, "PFPPP");
    check(&output(&at("1200", &less), "100", true), &large, "PFPPP");
    // The stated dti is exactly right save for one unit, 10^60 places further down.
    check(&output("1e400", "100", true), &file("1e397", "1.2", "1", "1"), "PPPPP");
    check(&output("1e400", "100", true), &file("1e-999999999", "1.2", "1", "1"), "PFPPP");
    check(
        &output("1e-999999999", "1e-999999999", false),
        &file("0", "7", "1e-999999999", "1e9"),
        "PPPPP",
    );
    check(
        &output("0.1", "-0.1", false),
        &file("1e-999999999", "7", "1e-999999999", "1e9"),
        "PPFPP",
    );
    check(&output("0.1", "0.1", false), &file("0", "1e999999999", "0", "1e999999999"), "PPPPP");
}

#[test]
fn long_figures_on_both_sides_meet_exactly() {
    // An income of a thousand, then twenty thousand, digits takes the transform.
    for length in [1_000, 20_000] {
        let digits: String = (0..length).map(|i| char::from(b'1' + (i * 7 % 9) as u8)).collect();
        let income = format!("{digits}e7");
        let stated = format!("4.{}", "1".repeat(length));
        // The amount is chosen so that the ltv is exactly the one stated.
        let amount = hundredth_of_product(&stated, &digits);
        let loan = file("0", &income, &amount, &digits);
        let off = |tail: &str| format!("4.2{}{tail}", "1".repeat(length - 1));
        check(&output("0", &stated, false), &loan, "PPPPP");
        check(&output("0", &off(""), false), &loan, "PPPPP");
        check(&output("0", &off("0001"), false), &loan, "PPFPP");
        check(&output("0", &off("e-0"), false), &loan, "PPPPP");
    }
}

/// A hundredth of the product of a decimal with one digit before the point and a whole number.
fn hundredth_of_product(decimal: &str, whole: &str) -> String {
    let places = decimal.len();
    let left: Vec<u64> =
        decimal.bytes().rev().filter(u8::is_ascii_digit).map(|b| u64::from(b - b'0')).collect();
    let right: Vec<u64> = whole.bytes().rev().map(|b| u64::from(b - b'0')).collect();
    let mut sums = vec![0_u64; left.len() + right.len()];
    for (i, a) in left.iter().enumerate() {
        for (sum, b) in sums[i..].iter_mut().zip(&right) {
            *sum += a * b;
        }
    }
    let mut carry = 0;
    for sum in &mut sums {
        carry += *sum;
        *sum = carry % 10;
        carry /= 10;
    }
    let text: String = sums.iter().rev().map(|digit| char::from(b'0' + *digit as u8)).collect();
    format!("{}e-{places}", text.trim_start_matches('0'))
}

fn sign(terms: &[Decimal]) -> Ordering {
    sign_of_sum(&terms.iter().collect::<Vec<_>>())
}

/// The same terms, each with so many digits or so high an exponent that the quick way is barred.
fn out_of_reach(terms: &[Decimal]) -> [Vec<Decimal>; 2] {
    let far = Decimal::parse("1e999999999999999999999999");
    let long = Decimal::parse(&"3".repeat(40));
    [far, long].map(|factor| terms.iter().map(|term| term.times(&factor)).collect())
}

#[test]
fn sums_match_machine_integers() {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut draw = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    for _ in 0..20_000 {
        let mut terms = Vec::new();
        let mut total = 0_i128;
        for _ in 0..=draw(4) {
            let size = [2, 100, 1_000_000, u64::MAX >> 8][draw(4) as usize];
            let (mantissa, exponent) = (i128::from(draw(size)), draw(12) as u32);
            let mantissa = if draw(2) == 0 { -mantissa } else { mantissa };
            total += mantissa * 10_i128.pow(exponent);
            terms.push(Decimal::parse(&format!("{mantissa}e{exponent}")));
        }
        assert_eq!(sign(&terms), total.cmp(&0), "{terms:?}");
        for terms in out_of_reach(&terms) {
            assert_eq!(sign(&terms), total.cmp(&0), "{terms:?}");
        }
    }
}

#[test]
fn sums_cancel_down_to_what_is_left() {
    let sign = |texts: &[&str]| {
        let terms: Vec<Decimal> = texts.iter().map(|text| Decimal::parse(text)).collect();
        sign(&terms)
    };
    let e = "7".repeat(40);
    let table: [(&[&str], Ordering); 8] = [
        (&[], Ordering::Equal),
        (&["0", "-0", "0e99999999999999999999"], Ordering::Equal),
        (&["1e99999999999999999999", "-1e99999999999999999999"], Ordering::Equal),
        (
            &["1e99999999999999999999", "-1e99999999999999999999", "-1e-99999999999999999999"],
            Ordering::Less,
        ),
        (&["10e99999999999999999998", "-1e99999999999999999999", "1"], Ordering::Greater),
        (&["1", "-0.5", "-0.5"], Ordering::Equal),
        (&["1", "-0.9", "-0.099999999999999999999999999999999"], Ordering::Greater),
        (&["1", "-0.99", "-0.99"], Ordering::Less),
    ];
    for (terms, expected) in table {
        assert_eq!(sign(terms), expected, "{terms:?}");
    }
    assert_eq!(sign(&[&format!("10e{e}"), &format!("-1e{}8", "7".repeat(39))]), Ordering::Equal);
}

#[test]
fn quotients_for_people_are_cut() {
    let table = [
        ("1", "3", Some("0.3333…")),
        ("2", "1", Some("2")),
        ("0", "7", Some("0")),
        ("215e1", "0.5e2", Some("43")),
        ("43000001", "1000000", Some("43.0000…")),
        ("1", "8", Some("0.125")),
        ("1e99", "1", None),
        ("1", "0", None),
        ("1e99999999999999999999", "1", None),
        ("1e99999999999999999999", "2e99999999999999999999", Some("0.5")),
    ];
    for (above, below, expected) in table {
        let found = Decimal::parse(above).quotient_for_people(&Decimal::parse(below));
        assert_eq!(found.as_deref(), expected, "{above} / {below}");
    }
}
