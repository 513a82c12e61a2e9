
final class Harness {
  static byte[] read(String field) {
    return java.util.Base64.getDecoder().decode(field);
  }

  static String text(String field) {
    return field.equals("-") ? null : new String(read(field), StandardCharsets.UTF_8);
  }

  public static void main(String[] args) throws Exception {
    var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) {
      String[] fields = line.split("\t", -1);
      List<String> secrets = new ArrayList<>();
      for (String each : fields[4].split(",")) secrets.add(text(each));
      try {
        Deliveries.verify(
            read(fields[0]), text(fields[1]), text(fields[2]), text(fields[3]), secrets,
            Long.parseLong(fields[5]), Long.parseLong(fields[6]));
        System.out.println(true);
      } catch (GeneralSecurityException refused) {
        System.out.println(false);
      }
    }
  }
}
