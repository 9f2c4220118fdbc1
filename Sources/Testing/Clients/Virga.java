import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A sandbox of its own for a test, on a running Virga server. Copy this file; it needs Java 17 and no library.
 *
 * <p>VIRGA_ENDPOINT is the URL of the server (default http://127.0.0.1:4566). VIRGA_CONTROL_TOKEN is its control token, if it has one, or
 * VIRGA_CONTROL_TOKEN_FILE a file with it.
 */
public final class Virga implements AutoCloseable {
    /** What a request is signed with. The session token is null for the root user. */
    public record Credentials(String accessKeyId, String secretAccessKey, String sessionToken) {}

    /** An error of the control API or of STS. */
    public static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        public final int status;
        public final String code;

        Refusal(int status, String code, String answer) {
            super(answer);
            this.status = status;
            this.code = code;
        }
    }

    private static final String ENDPOINT = System.getenv().getOrDefault("VIRGA_ENDPOINT", "http://127.0.0.1:4566");
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public final String name;
    public final String url;
    public final Credentials root;

    private Virga(String answer) {
        name = field(answer, "name");
        // Another container reaches the port under the name by which it reaches the server.
        url = "http://" + URI.create(ENDPOINT).getHost() + ":" + URI.create(field(answer, "portURL")).getPort();
        root = new Credentials(field(answer, "accessKeyId"), field(answer, "secretAccessKey"), null);
    }

    /** Creates a sandbox from "seed" or from a snapshot. The server deletes it after an hour, if nothing else does. */
    public static Virga create(String origin) {
        return new Virga(call(ENDPOINT, "POST", "/sandboxes",
                "{\"prefix\":\"java\",\"from\":\"%s\",\"port\":true,\"expires\":\"PT1H\"}".formatted(origin)));
    }

    /** Deletes the sandbox. Snapshots of it remain. */
    @Override
    public void close() {
        call(ENDPOINT, "DELETE", "/sandboxes/" + name, "");
    }

    /** Keeps the present state under the name of the sandbox, and returns this name. */
    public String snapshot() {
        call(ENDPOINT, "POST", "/sandboxes/" + name + "/snapshots", "{\"name\":\"%s\",\"replace\":true}".formatted(name));
        return name;
    }

    /** Deletes a snapshot. */
    public static void deleteSnapshot(String name) {
        call(ENDPOINT, "DELETE", "/snapshots/" + name, "");
    }

    /** Puts the state of a snapshot in place of the sandbox's state. */
    public void restore(String snapshot) {
        call(ENDPOINT, "POST", "/sandboxes/" + name + "/restore", "{\"snapshot\":\"%s\"}".formatted(snapshot));
    }

    /** Sends a call of the control API to the sandbox, such as POST /clock, and returns its answer in JSON. */
    public String control(String method, String path, String json) {
        return call(url, method, path, json);
    }

    /** Returns an ID token of a person, as after a login. */
    public String token(String provider, String user) {
        return field(control("POST", "/tokens", "{\"provider\":\"%s\",\"user\":\"%s\"}".formatted(provider, user)), "token");
    }

    /** Returns the credentials that STS issues for an ID token. */
    public Credentials assume(String role, String token) {
        var form = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=test&RoleArn="
                + URLEncoder.encode(role, StandardCharsets.UTF_8) + "&WebIdentityToken=" + token;
        var answer = send(HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)).build());
        return new Credentials(field(answer, "AccessKeyId"), field(answer, "SecretAccessKey"), field(answer, "SessionToken"));
    }

    /** Returns the variables for a child process that uses an SDK. */
    public Map<String, String> environment() {
        return Map.of("AWS_ENDPOINT_URL", url, "AWS_REGION", "us-east-1", "AWS_DEFAULT_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", root.accessKeyId(), "AWS_SECRET_ACCESS_KEY", root.secretAccessKey());
    }

    private static String controlToken() {
        var token = System.getenv().getOrDefault("VIRGA_CONTROL_TOKEN", "");
        var file = System.getenv().getOrDefault("VIRGA_CONTROL_TOKEN_FILE", "");
        if (file.isEmpty()) return token;
        if (!token.isEmpty()) {
            throw new IllegalStateException("VIRGA_CONTROL_TOKEN and VIRGA_CONTROL_TOKEN_FILE cannot be combined. Set one of them.");
        }
        try {
            return Files.readString(Path.of(file)).replaceFirst("\\r?\\n\\z", "");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static String call(String address, String method, String path, String json) {
        var request = HttpRequest.newBuilder(URI.create(address + "/_virga" + path))
                .method(method, HttpRequest.BodyPublishers.ofString(json));
        var token = controlToken();
        if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
        return send(request.build());
    }

    private static String send(HttpRequest request) {
        HttpResponse<String> answer;
        try {
            answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (Exception error) {
            throw new IllegalStateException(request.uri() + ": " + error, error);
        }
        if (answer.statusCode() < 300) return answer.body();
        var code = answer.body().startsWith("{") ? "error" : "Code";
        throw new Refusal(answer.statusCode(), field(answer.body(), code), request.uri() + ": " + answer.body());
    }

    /** Returns the first text with this name in a JSON or XML document, or null. */
    private static String field(String document, String name) {
        var found = Pattern.compile("\"%1$s\":\"([^\"]*)\"|<%1$s>([^<]*)</".formatted(name)).matcher(document);
        if (!found.find()) return null;
        return found.group(1) != null ? found.group(1) : found.group(2);
    }
}
