//! Tests of the gate as a whole.

mod attacks;
mod comparing;
mod deciding;
mod evidence;
mod figures;
mod files;
mod make;
mod promises;
mod properties;
mod settling;
