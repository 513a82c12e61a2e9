
while (($line = fgets(STDIN)) !== false) {
    [$body, $signature, $timestamp, $origin, $secrets, $now, $tolerance] = explode("\t", rtrim($line, "\n"));
    $text = fn($field) => $field === '-' ? null : base64_decode($field);
    $known = array_map($text, explode(',', $secrets));
    try {
        verify_delivery($text($body), $text($signature), $text($timestamp), $text($origin), $known, (int) $now, (int) $tolerance);
        echo "true\n";
    } catch (InvalidArgumentException) {
        echo "false\n";
    }
}
