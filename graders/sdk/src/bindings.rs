//! The bindings of `wit/grader.wit`, generated while compiling. The file is named, not its folder:
//! the frozen copies beside it are no part of the package.

wit_bindgen::generate!({
    path: "../../wit/grader.wit",
    world: "code-grader",
    with: { "accredit:grader/types@0.1.0": crate::contract },
    pub_export_macro: true,
    export_macro_name: "export_component",
    default_bindings_module: "accredit_sdk::bindings",
});
