//! stub
/// stub
pub struct GeneratedCase;
/// stub
pub fn generated_cases() {}
