//! Tests of the engine through its public interface, with small graders made on the fly.

mod cache;
mod child;
mod faults;
mod guest;
mod load;
mod run;
mod sandbox;
mod stream;
