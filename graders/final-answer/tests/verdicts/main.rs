//! Verdicts on outputs, as tables: the rubric sentence by sentence, and inputs meant to break the grader.

mod equality;
mod hostile;
mod letter;
mod markers;
mod robust;
mod table;
mod unmarked;
mod wording;
