import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A client of S3 for one bucket, which signs by Signature Version 4. An application uses the SDK of AWS instead. */
final class S3 {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final String url;
    private final String bucket;
    private final Virga.Credentials credentials;

    S3(String url, String bucket, Virga.Credentials credentials) {
        this.url = url;
        this.bucket = bucket;
        this.credentials = credentials;
    }

    HttpResponse<String> put(String key, String text) {
        return send("PUT", key, "", text);
    }

    HttpResponse<String> get(String key) {
        return send("GET", key, "", "");
    }

    HttpResponse<String> list(String prefix) {
        return send("GET", "", "list-type=2&prefix=" + URLEncoder.encode(prefix, StandardCharsets.UTF_8), "");
    }

    /** Sends a request. The key must need no percent-encoding, and the parameters must be in order. */
    private HttpResponse<String> send(String method, String key, String query, String body) {
        var address = URI.create(url + "/" + bucket + "/" + key + (query.isEmpty() ? "" : "?" + query));
        var time = TIME.format(Instant.now());
        var headers = new TreeMap<String, String>();
        headers.put("host", address.getAuthority());
        headers.put("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
        headers.put("x-amz-date", time);
        if (credentials.sessionToken() != null) headers.put("x-amz-security-token", credentials.sessionToken());
        var names = String.join(";", headers.keySet());
        var lines = headers.entrySet().stream().map(header -> header.getKey() + ":" + header.getValue() + "\n").collect(Collectors.joining());
        var canonical = String.join("\n", method, address.getRawPath(), query, lines, names, "UNSIGNED-PAYLOAD");
        var scope = time.substring(0, 8) + "/us-east-1/s3/aws4_request";
        try {
            var digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(canonical)));
            var key4 = bytes("AWS4" + credentials.secretAccessKey());
            for (var part : scope.split("/")) key4 = authenticate(key4, part);
            var signature = HexFormat.of().formatHex(authenticate(key4, String.join("\n", "AWS4-HMAC-SHA256", time, scope, digest)));
            headers.remove("host");
            var request = HttpRequest.newBuilder(address).method(method, HttpRequest.BodyPublishers.ofString(body));
            headers.forEach(request::header);
            request.header("Authorization", "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                    .formatted(credentials.accessKeyId(), scope, names, signature));
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (Exception error) {
            throw new IllegalStateException(address + ": " + error, error);
        }
    }

    private static byte[] authenticate(byte[] key, String text) throws GeneralSecurityException {
        var function = Mac.getInstance("HmacSHA256");
        function.init(new SecretKeySpec(key, "HmacSHA256"));
        return function.doFinal(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
