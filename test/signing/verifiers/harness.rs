
fn read(field: &str) -> Vec<u8> {
    base64::decode(field).expect("base64")
}

fn text(field: &str) -> Option<String> {
    (field != "-").then(|| String::from_utf8(read(field)).expect("UTF-8"))
}

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let fields: Vec<&str> = line.split('\t').collect();
        let [signature, timestamp, origin] = [1, 2, 3].map(|i| text(fields[i]));
        let secrets: Vec<String> = fields[4].split(',').filter_map(text).collect();
        let known: Vec<&str> = secrets.iter().map(String::as_str).collect();
        let [now, tolerance] = [5, 6].map(|i| fields[i].parse().expect("a number"));
        let verdict = verify(
            &read(fields[0]),
            signature.as_deref(),
            timestamp.as_deref(),
            origin.as_deref(),
            &known,
            now,
            tolerance,
        );
        println!("{}", verdict.is_ok());
    }
}
