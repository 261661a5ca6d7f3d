//! Assessments of a few outputs, by hand.
