(func (export "cabi_post_accredit:grader/grader@0.1.0#grade") (param i32)
  unreachable)
