//! The five verdicts on one output, from its text and the texts of the loan files alone.

use crate::decimal::Decimal;
use crate::excerpt::shorten;
use crate::json::Fault;
use crate::loan::{self, Loan, Undecided};
use crate::ratio::Ratio;
use crate::stated::{self, Figure, Misformed, Stated};

/// The limits above which a loan is flagged, in per cent.
const DTI_LIMIT: u32 = 43;
const LTV_LIMIT: u32 = 80;

/// A member longer than this, in bytes, is not cited.
const QUOTE_LIMIT: usize = 200;

/// What a rule comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Pass,
    /// It is broken.
    Fail,
    /// It says nothing about this output.
    NotApplicable,
    /// There is no telling.
    Unproven,
}

/// One rule's outcome and what it rests on.
#[derive(Clone, Debug)]
pub struct Opinion<'a> {
    /// The rule.
    pub rule: &'static str,
    /// What it comes to.
    pub outcome: Outcome,
    /// Why, for people.
    pub why: String,
    /// The place of the loan file relied on, and the members quoted from it.
    pub quotes: Option<(usize, Vec<&'a str>)>,
}

/// Judges an output against the loan files of its case. The rules come in the rubric's order.
pub fn judge<'a>(output: &str, files: impl Iterator<Item = &'a str>) -> Vec<Opinion<'a>> {
    let stated = match stated::read(output) {
        Ok(stated) => stated,
        Err(misformed) => return not_well_formed(output, misformed),
    };
    let place = if stated.fenced { "in one fence" } else { "alone" };
    let mut opinions = vec![Opinion::new(
        "well-formed",
        Outcome::Pass,
        format!("one JSON object, {place}, with dti, ltv and flag once each"),
    )];
    match loan::settle(files) {
        Ok(loan) => opinions.extend(recomputed(&stated, &loan)),
        Err(undecided) => {
            let why = undecided_for_people(undecided);
            for rule in ["dti-correct", "ltv-correct", "flag-correct"] {
                opinions.push(Opinion::new(rule, Outcome::Unproven, why.clone()));
            }
        }
    }
    opinions.push(agrees_with_itself(&stated));
    opinions
}

impl Opinion<'_> {
    fn new(rule: &'static str, outcome: Outcome, why: impl Into<String>) -> Self {
        Self { rule, outcome, why: why.into(), quotes: None }
    }

    /// Quotes members of a loan file, unless one is too long to be worth showing.
    fn resting_on<'a>(self, loan: &Loan<'a>, members: &[&'a str]) -> Opinion<'a> {
        let short = members.iter().all(|member| member.len() <= QUOTE_LIMIT);
        let quotes = short.then(|| (loan.file, members.to_vec()));
        Opinion { rule: self.rule, outcome: self.outcome, why: self.why, quotes }
    }
}

fn not_well_formed<'a>(output: &str, misformed: Misformed) -> Vec<Opinion<'a>> {
    let why = misformed_for_people(output, misformed);
    let mut opinions = vec![Opinion::new("well-formed", Outcome::Fail, why)];
    for rule in ["dti-correct", "ltv-correct", "flag-correct", "agrees-with-itself"] {
        opinions.push(Opinion::new(rule, Outcome::NotApplicable, "the output is not well-formed"));
    }
    opinions
}

/// The rules that need a loan file.
fn recomputed<'a>(stated: &Stated<'_>, loan: &Loan<'a>) -> [Opinion<'a>; 3] {
    let (dti, ltv) = (Ratio::debt_to_income(loan), Ratio::loan_to_value(loan));
    let due = dti.exceeds(DTI_LIMIT) || ltv.exceeds(LTV_LIMIT);
    let why = format!(
        "flag is {} and should be {due}: recomputed dti {} (limit {DTI_LIMIT}), ltv {} (limit {LTV_LIMIT})",
        stated.flag,
        dti.for_people(),
        ltv.for_people(),
    );
    let [above_dti, below_dti] = dti.members();
    let [above_ltv, below_ltv] = ltv.members();
    let members = [above_dti, below_dti, above_ltv, below_ltv];
    [
        ratio_correct("dti-correct", "dti", &stated.dti, &dti).resting_on(loan, &dti.members()),
        ratio_correct("ltv-correct", "ltv", &stated.ltv, &ltv).resting_on(loan, &ltv.members()),
        Opinion::new("flag-correct", pass_when(stated.flag == due), why).resting_on(loan, &members),
    ]
}

fn ratio_correct<'a>(
    rule: &'static str,
    name: &str,
    stated: &Figure<'_>,
    recomputed: &Ratio<'_>,
) -> Opinion<'a> {
    let close = recomputed.is_within_a_tenth_of(&stated.value);
    let how_far = if close { "within 0.1" } else { "more than 0.1 apart" };
    let (said, is) = (shorten(stated.text), recomputed.for_people());
    Opinion::new(
        rule,
        pass_when(close),
        format!("stated {name} {said}, recomputed {is}: {how_far}"),
    )
}

/// Whether some ratios within a tenth of the stated ones would give the stated flag.
fn agrees_with_itself<'a>(stated: &Stated<'_>) -> Opinion<'a> {
    let above =
        |figure: &Figure<'_>, tenths| figure.value.compare(&Decimal::from_tenths(tenths)).is_gt();
    let (dti, ltv) = (&stated.dti, &stated.ltv);
    let contradicts = if stated.flag {
        // Even with a tenth added, neither passes its limit.
        !above(dti, DTI_LIMIT * 10 - 1) && !above(ltv, LTV_LIMIT * 10 - 1)
    } else {
        // Even with a tenth taken off, one is past its limit.
        above(dti, DTI_LIMIT * 10 + 1) || above(ltv, LTV_LIMIT * 10 + 1)
    };
    let verb = if contradicts { "contradicts" } else { "fits" };
    let why = format!(
        "flag {} {verb} the stated dti {} and ltv {}, give or take 0.1",
        stated.flag,
        shorten(dti.text),
        shorten(ltv.text),
    );
    Opinion::new("agrees-with-itself", pass_when(!contradicts), why)
}

fn pass_when(holds: bool) -> Outcome {
    if holds { Outcome::Pass } else { Outcome::Fail }
}

fn misformed_for_people(output: &str, misformed: Misformed) -> String {
    match misformed {
        Misformed::Grammar(Fault { at, expected }) => {
            let rest = output.get(at..).unwrap_or_default();
            let found =
                if rest.is_empty() { "the end".into() } else { format!("`{}`", shorten(rest)) };
            format!("not one strict JSON object: at byte {at}, expected {expected}, found {found}")
        }
        Misformed::Missing(name) => format!("the object has no member `{name}`"),
        Misformed::Repeated(name) => format!("the object has `{name}` more than once"),
        Misformed::NotANumber(name) => format!("`{name}` is not a JSON number"),
        Misformed::NotABoolean => "`flag` is neither true nor false".into(),
    }
}

fn undecided_for_people(undecided: Undecided) -> String {
    match undecided {
        Undecided::NoFile => format!("the case has no evidence of kind {}", loan::KIND),
        Undecided::NoneUsable => "no loan file of the case is usable".into(),
        Undecided::Disagree(one, two, figure) => {
            let (one, two) = (one + 1, two + 1);
            format!("usable loan files disagree: number {one} and number {two} differ in {figure}")
        }
    }
}
