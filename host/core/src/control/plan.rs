//! Which trials a run makes, in which order, and what the grader is shown in each.

use super::set::Control;
use super::transform::Transform;
use crate::case::Case;
use crate::id::Digest;

/// One control as shown to the grader: as written, or under a transform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The control's place in the list the plan was made from.
    pub control: usize,
    /// The transform, or `None` for the case as written.
    pub variant: Option<Transform>,
    /// The case, blinded.
    pub case: Case,
    /// The digest of the case's content.
    pub content: Digest,
}

/// One trial: a shown case and the number of the repeat, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedTrial {
    /// The place in [`Plan::shown`].
    pub shown: usize,
    /// The repeat, from 0.
    pub repeat: u32,
}

/// Every trial of a run, in the order in which it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What is shown.
    pub shown: Vec<Shown>,
    /// The trials, shuffled by the seed.
    pub trials: Vec<PlannedTrial>,
    /// The run's seed.
    pub seed: u64,
}

impl Plan {
    /// Plans `repeats` trials of every control, and of each variant that the declared transforms make of
    /// a known-good or known-bad one.
    #[must_use]
    pub fn new(controls: &[Control], transforms: &[Transform], repeats: u32, seed: u64) -> Self {
        let mut shown = Vec::with_capacity(controls.len());
        for (index, control) in controls.iter().enumerate() {
            let mut show = |variant, case: &Case| {
                let (content, case) = (case.content_digest(), case.blinded());
                shown.push(Shown { control: index, variant, case, content });
            };
            show(None, &control.entry.case);
            for (transform, case) in variants(control, transforms) {
                show(Some(transform), &case);
            }
        }
        let mut order: Vec<_> = (0..shown.len())
            .flat_map(|shown| (0..repeats).map(move |repeat| PlannedTrial { shown, repeat }))
            .map(|trial| {
                let id = &controls[shown[trial.shown].control].entry.id;
                let variant = shown[trial.shown].variant.map_or("", Transform::name);
                let key = Digest::of_parts([
                    b"accredit order".as_slice(),
                    &seed.to_le_bytes(),
                    id.as_str().as_bytes(),
                    variant.as_bytes(),
                    &trial.repeat.to_le_bytes(),
                ]);
                (key, trial)
            })
            .collect();
        order.sort_unstable_by_key(|(key, _)| *key);
        Self { shown, trials: order.into_iter().map(|(_, trial)| trial).collect(), seed }
    }

    /// The seed of everything random that a grader may see in this trial: a hash of the run's seed, the
    /// case's content and the repeat, by the same rule for controls as for live work.
    #[must_use]
    pub fn trial_seed(&self, trial: PlannedTrial) -> [u8; 32] {
        trial_seed(self.seed, self.shown[trial.shown].content, trial.repeat)
    }
}

/// See [`Plan::trial_seed`].
#[must_use]
pub fn trial_seed(run_seed: u64, content: Digest, repeat: u32) -> [u8; 32] {
    *Digest::of_parts([
        b"accredit trial seed".as_slice(),
        &run_seed.to_le_bytes(),
        content.as_bytes(),
        &repeat.to_le_bytes(),
    ])
    .as_bytes()
}

/// The variants of one control under the transforms its set declares and it does not opt out of.
pub(crate) fn variants<'a>(
    control: &'a Control,
    transforms: &'a [Transform],
) -> impl Iterator<Item = (Transform, Case)> + 'a {
    transforms
        .iter()
        .filter(|transform| {
            control.kind.is_transformed() && !control.entry.skip_transforms.contains(transform)
        })
        .filter_map(|transform| Some((*transform, transform.apply(&control.entry.case)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::set::Kind;
    use crate::example;

    #[test]
    fn variants_are_made_of_known_bad_and_known_good_alone() {
        let controls = [
            example::control(Kind::KnownBad, "a", "x\ny"),
            example::control(Kind::Adversarial, "b", "x\ny"),
        ];
        let plan = Plan::new(&controls, &[Transform::LineEndings, Transform::UnicodeNfd], 2, 0);
        let shown: Vec<_> = plan.shown.iter().map(|s| (s.control, s.variant)).collect();
        assert_eq!(shown, [(0, None), (0, Some(Transform::LineEndings)), (1, None)]);
        assert_eq!(plan.trials.len(), 6);
    }

    #[test]
    fn the_seed_decides_the_order_and_nothing_else_does() {
        let controls: Vec<_> = ["a", "b", "c", "d", "e", "f"]
            .iter()
            .map(|id| example::control(Kind::KnownBad, id, id))
            .collect();
        let plan = |seed| Plan::new(&controls, &[], 3, seed);
        assert_eq!(plan(1), plan(1));
        assert_ne!(plan(1).trials, plan(2).trials);
    }

    #[test]
    fn a_control_looks_like_live_work() {
        let mut control = example::control(Kind::KnownBad, "kb-secret", "x");
        control.entry.case.id = "kb-secret".into();
        let plan = Plan::new(&[control], &[], 1, 0);
        assert_eq!(plan.shown[0].case.id, crate::case::BLIND_ID);
    }
}
