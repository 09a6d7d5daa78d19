//! The target `import` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("import");
