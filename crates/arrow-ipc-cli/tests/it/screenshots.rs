//! Checks that pictures of a terminal in the README show the output of the program. `INSTA_UPDATE=always` updates them.

use std::{env, fmt::Write as _, fs};

use crate::program::run;

const PICTURES: [(&str, &[&str]); 2] = [
    ("terminal-head", &["head", "../../docs/people.arrow", "--format", "table"]),
    ("terminal-explain", &["explain", "golden/arrow-rs-60.1.0/metadata-v4.arrow"]),
];

#[test]
fn pictures_show_what_is_printed() {
    for (name, args) in PICTURES {
        let outcome = run(args);
        let picture = picture(args, outcome.expect(&[0]).text());
        let path = format!("{}/../../docs/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
            fs::write(&path, &picture).unwrap();
        }
        let shown = fs::read_to_string(&path).unwrap_or_default();
        assert!(shown == picture, "{name}: INSTA_UPDATE=always writes docs/{name}.svg");
    }
}

/// Draws a terminal with a command and its output.
fn picture(args: &[&str], printed: &str) -> String {
    const MAX_CHARS: usize = 100;
    const LINE_PIXELS: usize = 19;
    let command = format!("arrow-ipc {}", args.join(" ").replace("../../docs/", "docs/"));
    let lines: Vec<String> = printed.lines().map(|line| shown(line, MAX_CHARS)).collect();
    let width = MAX_CHARS * 8 + 40;
    let height = (lines.len() + 1) * LINE_PIXELS + 44;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"9\" fill=\"#12161c\"/>\n"
    );
    for (idx, color) in ["#e0645c", "#e0b13f", "#59b365"].into_iter().enumerate() {
        writeln!(svg, "<circle cx=\"{}\" cy=\"15\" r=\"5\" fill=\"{color}\"/>", 18 + idx * 16).unwrap();
    }
    let all = std::iter::once(("#74adff", format!("$ {}", shown(&command, MAX_CHARS))));
    let all = all.chain(lines.into_iter().map(|line| ("#e5e9f0", line)));
    for (idx, (color, line)) in all.enumerate().filter(|(_, (_, line))| !line.is_empty()) {
        let y = 46 + idx * LINE_PIXELS;
        writeln!(svg, "<text x=\"20\" y=\"{y}\" fill=\"{color}\" xml:space=\"preserve\">{line}</text>")
            .unwrap();
    }
    svg + "</svg>\n"
}

/// A line as text for SVG, cut after `max_chars` characters.
fn shown(line: &str, max_chars: usize) -> String {
    let mut text: String = line.trim_end().chars().take(max_chars).collect();
    if line.trim_end().chars().count() > max_chars {
        text.pop();
        text.push('…');
    }
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
