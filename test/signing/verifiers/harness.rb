
STDIN.each_line(chomp: true) do |line|
  body, signature, timestamp, origin, secrets, now, tolerance = line.split("\t", -1)
  bytes = ->(field) { field.unpack1('m0') }
  text = ->(field) { field == '-' ? nil : bytes.(field).force_encoding('UTF-8') }
  options = { secrets: secrets.split(',').map(&text), now: now.to_i, tolerance: tolerance.to_i }
  verify_delivery(bytes.(body), text.(signature), text.(timestamp), text.(origin), **options)
  puts true
rescue ArgumentError
  puts false
end
