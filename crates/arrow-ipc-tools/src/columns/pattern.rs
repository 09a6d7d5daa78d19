//! Names with `*`, which select several columns and fields inside them.

use arrow_schema::{Field, FieldPath, Schema};

/// The columns and fields that a pattern matches, in the order of the schema. A column matches if the pattern matches
/// its whole name. A field inside structs and lists matches if each name on its path matches the pattern between the
/// corresponding dots.
pub(super) fn matching(pattern: &str, schema: &Schema) -> Vec<FieldPath> {
    let parts: Vec<&str> = pattern.split('.').collect();
    let mut found = Vec::new();
    for (position, field) in schema.fields().iter().enumerate() {
        let path = child(&FieldPath::root(), position, field);
        if matches(pattern, field.name()) {
            found.push(path);
        } else {
            collect(&parts, field, path, &mut found);
        }
    }
    found
}

/// Adds the field if its name matches the only part of the pattern. If the pattern has more parts, searches the
/// children of the field for the other parts.
fn collect(parts: &[&str], field: &Field, path: FieldPath, found: &mut Vec<FieldPath>) {
    let Some((first, rest)) = parts.split_first() else { return };
    if !matches(first, field.name()) {
        return;
    }
    if rest.is_empty() {
        found.push(path);
    } else if field.data_type().is_struct() || field.data_type().is_list() {
        for (position, inner) in field.children().iter().enumerate() {
            collect(rest, inner, child(&path, position, inner), found);
        }
    }
}

fn child(path: &FieldPath, position: usize, field: &Field) -> FieldPath {
    path.clone().child(u32::try_from(position).unwrap_or(u32::MAX), field.to_shared_name())
}

pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    // The last part must match the end of the name. Each other part is matched at its first occurrence, which leaves
    // the most characters for the later parts.
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares character by character; `*` stands for any number of characters.
    fn naive(pattern: &str, name: &str) -> bool {
        match pattern.strip_prefix('*') {
            Some(rest) => name.char_indices().any(|(at, _)| naive(rest, &name[at..])) || naive(rest, ""),
            None => match (pattern.chars().next(), name.chars().next()) {
                (None, None) => true,
                (Some(a), Some(b)) if a == b => naive(&pattern[a.len_utf8()..], &name[b.len_utf8()..]),
                _ => false,
            },
        }
    }

    #[test]
    fn patterns_match_as_they_are_defined() {
        const LETTERS: [char; 4] = ['a', 'b', 'é', '*'];
        let words: Vec<String> = (0..4_usize.pow(5))
            .map(|n| (0..5).map(|digit| LETTERS[n / 4_usize.pow(digit) % 4]).collect())
            .collect();
        let names = ["", "a", "ab", "ba", "aab", "abab", "éa", "bébé", "a*b"];
        for (word, length) in words.iter().flat_map(|word| (0..=5).map(move |length| (word, length))) {
            let pattern: String = word.chars().take(length).collect();
            for name in names {
                assert_eq!(matches(&pattern, name), naive(&pattern, name), "{pattern} of {name}");
            }
        }
    }

    #[test]
    fn columns_and_fields_inside_are_found_in_order() {
        let schema: Schema = "id: int64\nuser_id: utf8\n\"a.b\": int8\n\
                              address: struct<zip: utf8, geo: struct<lat: int8, lon: int8>>\n\
                              phones: list<item: struct<zip: int8, kind: utf8>>\nmap: map<entries: struct<key: utf8 not null, value: int8> not null>"
            .parse()
            .unwrap();
        let cases = [
            ("*id", "id,user_id"),
            ("*", "id,user_id,\"a.b\",address,phones,map"),
            ("a*", "\"a.b\",address"),
            ("address.*", "address.zip,address.geo"),
            ("address.geo.l*", "address.geo.lat,address.geo.lon"),
            ("*.zip", "address.zip"),
            ("phones.*.zip", "phones.item.zip"),
            ("*.*", "\"a.b\",address.zip,address.geo,phones.item"),
            ("a.*", "\"a.b\""),
            ("map.*", ""),
            ("x*", ""),
        ];
        for (pattern, expected) in cases {
            let found: Vec<String> = matching(pattern, &schema).iter().map(|path| path.to_string()).collect();
            assert_eq!(found.join(","), expected, "{pattern}");
        }
    }
}
