//! What there is to say of each requirement, whatever the policy.

use crate::policy::RequirementId;

/// The words for one requirement, each a sentence or a few.
pub(super) struct Texts {
    pub(super) means: &'static str,
    pub(super) why: &'static str,
    pub(super) measured: &'static str,
    pub(super) to_meet: &'static [&'static str],
}

/// The words for this requirement.
pub(super) fn of(id: RequirementId) -> Texts {
    match id {
        RequirementId::KnownBad => KNOWN_BAD,
        RequirementId::KnownGood => KNOWN_GOOD,
        RequirementId::HardPositive => HARD_POSITIVE,
        RequirementId::NearMiss => NEAR_MISS,
        RequirementId::Adversarial => ADVERSARIAL,
        RequirementId::EachEssentialRule => EACH_ESSENTIAL_RULE,
        RequirementId::Invariance => INVARIANCE,
        RequirementId::Noise => NOISE,
        RequirementId::Regression => REGRESSION,
        RequirementId::Faults => FAULTS,
        RequirementId::RulesNeeded => RULES_NEEDED,
        RequirementId::Baselines => BASELINES,
        RequirementId::Reproducible => REPRODUCIBLE,
        RequirementId::RealOutput => REAL_OUTPUT,
        RequirementId::RealOutputAgreement => REAL_OUTPUT_AGREEMENT,
        RequirementId::HeldOut => HELD_OUT,
        RequirementId::IndependentAuthors => INDEPENDENT_AUTHORS,
    }
}

const KNOWN_BAD: Texts = Texts {
    means: "Outputs that should fail do fail, by the rule that must catch them.",
    why: "A gate exists to stop bad outputs. A grader that misses them is worse than none, since people stop looking.",
    measured: "Known-bad families right, of all of them, as the exact one-sided lower bound. A family is right only if every control, repeat and variant of it is. Passing, abstaining, refusing, crashing and failing by another rule are misses.",
    to_meet: &[
        "Read the false passes and what the grader said of each: `accredit report RECORD --all`.",
        "Mend the grader, and run the failed ones alone: `accredit check ... --rerun-failed RECORD`.",
        "Where none is wrong and the bound is still too low, there are too few: write a fresh set of the size that `accredit policy explain` names, fixed beforehand. Copies of a case in other words are one family and add nothing.",
    ],
};

const KNOWN_GOOD: Texts = Texts {
    means: "Outputs that should pass do pass, by every rule.",
    why: "A grader that fails everything catches everything. One that fails good outputs blocks good releases, and is switched off.",
    measured: "Known-good families right, of all of them, as the exact one-sided lower bound. One rule that fails, or leaves open what it should pass, is enough to be wrong.",
    to_meet: &[
        "Read the false fails and what the grader said of each: `accredit report RECORD --all`.",
        "Mend the rule that failed them; it stands behind the control's name.",
        "Where none is wrong and the bound is still too low, there are too few: write a fresh set of the size that `accredit policy explain` names, fixed beforehand.",
    ],
};

const HARD_POSITIVE: Texts = Texts {
    means: "Right outputs that look wrong pass.",
    why: "Odd formats, hedged words and unusual routes are where a careless grader fails good work, and where plain known-good controls do not look.",
    measured: "Hard-positive families right, of all of them, as the exact one-sided lower bound.",
    to_meet: &[
        "Read the false fails of this kind: each control says what makes it look wrong.",
        "Mend the grader to judge what the rubric says, not what outputs usually look like.",
    ],
};

const NEAR_MISS: Texts = Texts {
    means: "Of two outputs a hair apart, the grader fails the bad one and passes the good one.",
    why: "Far-off failures are easy. Whether a grader knows where the line is shows only on either side of it.",
    measured: "Near-miss pairs right on both sides, of all pairs, as the exact one-sided lower bound. Half a pair right is wrong.",
    to_meet: &[
        "Look at both halves of a pair that is wrong: what differs between them is what the grader does not see.",
        "Where none is wrong and the bound is still too low, there are too few: write a fresh set of the size that `accredit policy explain` names, fixed beforehand.",
    ],
};

const ADVERSARIAL: Texts = Texts {
    means: "Outputs that were made to deceive a grader do not.",
    why: "Systems are trained against their graders, so the cheapest trick that works will be found.",
    measured: "Adversarial families right, of all of them, as the exact one-sided lower bound; the report shows each tactic apart.",
    to_meet: &[
        "See which tactics work: the report lists them, and `--controls-filter tactic=NAME` runs one alone.",
        "Treat everything in the output as text to be judged, and nothing in it as an instruction.",
    ],
};

const EACH_ESSENTIAL_RULE: Texts = Texts {
    means: "Each essential rule catches its own known-bad outputs.",
    why: "A good rate over all rules can hide one that never works, and its failures are those that must not be averaged away.",
    measured: "For every rule of tier essential or must-not: the known-bad families that name it and that it failed, as the exact one-sided lower bound. A rule without known-bad controls does not meet it.",
    to_meet: &[
        "See the catch rate of each rule in the report, and run one alone: `--controls-filter rule=NAME`.",
        "Write known-bad controls for rules that have few, and mend those that miss.",
    ],
};

const INVARIANCE: Texts = Texts {
    means: "No verdict moves when the meaning does not.",
    why: "A verdict that depends on line endings, order, names or length is not about what the rubric asks.",
    measured: "Invariance bases whose variants got other verdicts, and known-good and known-bad controls whose verdict moved under the set's transforms. Too few bases do not meet it; without any it is not evaluated.",
    to_meet: &[
        "The report names each base and transform that moved: compare the two texts.",
        "Normalise what has no meaning (white space, Unicode form, line endings) before judging.",
        "Add bases with variants, where there are too few.",
    ],
};

const NOISE: Texts = Texts {
    means: "The same case gets the same verdict each time.",
    why: "A grader that changes its mind passes a bad release on a lucky day, and a difference between two versions means nothing beside it.",
    measured: "Families in which repeats of one shown case got other verdicts. Faults that depend on the machine are not counted as noise. With one repeat it is not evaluated.",
    to_meet: &[
        "Run each case at least twice: `--repeats 3`.",
        "Take randomness out of the grader: it gets another seed with each repeat.",
    ],
};

const REGRESSION: Texts = Texts {
    means: "Failures that were found in use stay mended.",
    why: "A wrong verdict that has once done harm must not come back unnoticed.",
    measured: "Controls of regression.toml, all of which must be right; they are in no rate. It is asked only where there are any.",
    to_meet: &[
        "Mend the grader for each one listed: its `why` says what happened.",
        "Never delete one to get through: `accredit compare` counts a dropped case as an error.",
    ],
};

const FAULTS: Texts = Texts {
    means: "The grader answers, and as the contract says.",
    why: "A crash, a timeout or a finding on a rule that does not exist leaves an output unjudged, which must never look like a pass.",
    measured: "Trials that ended in a fault of the grader's or in which a finding broke the contract, of all trials. Faults that depend on the machine stand under `reproducible`.",
    to_meet: &[
        "The report shows the first faulty trials, with what the grader had written before: run one alone with `accredit run`.",
        "`accredit bench` shows how near a trial comes to its limits.",
    ],
};

const RULES_NEEDED: Texts = Texts {
    means: "Without any one of its rules the grader would not get so far.",
    why: "If nothing changes when a rule never fails, the controls have not shown that the rule works.",
    measured: "The record is replayed with each rule's fails turned to passes. It is evaluated once the rates are met, since before that leaving out a rule shows nothing.",
    to_meet: &[
        "Write known-bad controls that only the named rule catches.",
        "Or take a rule that adds nothing out of the grader.",
    ],
};

const BASELINES: Texts = Texts {
    means: "Nothing that judges nothing would be promoted on the same controls.",
    why: "If always failing, a coin or a model of length and words clears the bars, they say nothing of a grader that does.",
    measured: "Five baselines see each control once, as written; none may meet the tier's rates. It cannot be waived.",
    to_meet: &[
        "Look at the baselines' table for the kind in which the strong one is strong.",
        "Write controls that differ in what the rubric asks and not in length, words or format.",
    ],
};

const REPRODUCIBLE: Texts = Texts {
    means: "The run came to its end, over all controls, and another machine would repeat it.",
    why: "Everything else is derived from the record. Half a record, or one that depends on the machine, proves nothing to anyone else.",
    measured: "The record holds its end and every planned trial, and no trial ended by the wall clock, the native stack or the host's memory. A run of a part of the controls is not evaluated. It cannot be waived.",
    to_meet: &[
        "Let the check run to its end, without --controls-filter and --rerun-failed.",
        "Where the machine was in the way, give it more time (--wall-seconds) or memory, or make the grader cheaper.",
    ],
};

const REAL_OUTPUT: Texts = Texts {
    means: "The grader is right about real outputs that people labelled.",
    why: "Controls are written; work in use is not. Only outputs of real systems show whether the one tells of the other.",
    measured: "Outputs that people fail and that are caught, and outputs that people pass and that pass, each as an exact one-sided lower bound, over enough of both. An output on which people did not settle is in no rate, and a label that lists no annotator is not people's.",
    to_meet: &[
        "Take outputs from use, not picked by what the grader says of them.",
        "Have people label them without seeing the grader's verdict, several each.",
        "Give them to the check: `--real-output FILE`.",
    ],
};

const REAL_OUTPUT_AGREEMENT: Texts = Texts {
    means: "A judge agrees with people about as well as people do with one another.",
    why: "Where people differ, a rate against their majority hides that the question may have no answer, and a judge may still be the outlier.",
    measured: "Cohen's kappa between people on the real outputs, and between the judge and each of them.",
    to_meet: &[
        "Have each output labelled by more than one person, apart from one another.",
        "Where people do not agree either, mend the rubric first.",
    ],
};

const HELD_OUT: Texts = Texts {
    means: "The bounds hold on controls that the grader's author has not seen.",
    why: "A grader can be tuned to the controls in its own repository until it is right about those and nothing else.",
    measured: "The same rates over held-out controls, which must be the ones that the open set promised by salted digests. Where none were run, or none were promised, it is not evaluated.",
    to_meet: &[
        "Have people who do not write the grader keep a set of their own, outside its repository.",
        "Promise it in the open set's set.toml: `accredit controls commit DIR` prints what belongs there.",
        "Give it to the check: `--held-out DIR`.",
        "Until then, waive it in the policy with a reason: every report shows it.",
    ],
};

const INDEPENDENT_AUTHORS: Texts = Texts {
    means: "Other people wrote the controls than wrote the grader.",
    why: "Whoever writes both tests what they thought of, twice.",
    measured: "The names in the component's metadata and in set.toml; not evaluated where either names nobody. Names are taken as they are declared: nothing is signed.",
    to_meet: &[
        "Name the authors: `authors` in set.toml, and in the component.",
        "Have the controls written from the rubric's text by someone who has not seen the grader.",
    ],
};
