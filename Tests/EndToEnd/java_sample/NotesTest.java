import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Tests of an application that keeps each person's notes in a folder of a bucket. They run in parallel against one server. */
class NotesTest {
    private static final String BUCKET = "personal-files";
    private static final String ROLE = "arn:aws:iam::000000000000:role/personal-files-company";
    private static final String ALICE = "employee-0001-alice/";
    private static final String BOB = "employee-0002-bob/";

    /** The snapshot in which each test begins. */
    private static String prepared;

    /** The sandbox of this test: JUnit makes an object of the class for each test. */
    private Virga box;

    @BeforeAll
    static void prepare() {
        try (var box = Virga.create("seed")) {
            assertEquals(200, new S3(box.url, BUCKET, box.root).put(ALICE + "welcome", "Write your first note.").statusCode());
            prepared = box.snapshot();
        }
    }

    @AfterAll
    static void forget() {
        Virga.deleteSnapshot(prepared);
    }

    @BeforeEach
    void create() {
        box = Virga.create(prepared);
    }

    @AfterEach
    void delete() {
        box.close();
    }

    /** Returns the S3 client of a person, who exchanges an ID token for credentials of the role. */
    private static S3 login(Virga box, String person) {
        return new S3(box.url, BUCKET, box.assume(ROLE, box.token("company", person)));
    }

    private List<String> notes() {
        var answer = new S3(box.url, BUCKET, box.root).list(ALICE).body();
        return Pattern.compile("<Key>" + ALICE + "([^<]*)</Key>").matcher(answer).results().map(found -> found.group(1)).toList();
    }

    private static void assertRefused(int status, String code, HttpResponse<String> answer) {
        assertEquals(status, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("<Code>" + code + "</Code>"), answer.body());
    }

    @Test
    void aNoteComesBack() {
        var client = login(box, "alice");
        assertEquals(200, client.put(ALICE + "note", "hello").statusCode());
        assertEquals("hello", client.get(ALICE + "note").body());
    }

    @Test
    void theNoteOfAnotherPersonIsRefused() {
        var client = login(box, "alice");
        assertRefused(403, "AccessDenied", client.get(BOB + "note"));
        assertRefused(403, "AccessDenied", client.put(BOB + "note", ""));
    }

    @RepeatedTest(12)
    void eachTestBeginsInThePreparedState(RepetitionInfo repetition) {
        assertEquals(List.of("hello.txt", "welcome"), notes());
        var client = login(box, "alice");
        var text = Integer.toString(repetition.getCurrentRepetition());
        client.put(ALICE + "same", text);
        assertEquals(text, client.get(ALICE + "same").body());
    }

    @Test
    void aRestoreUndoesEverything() {
        var client = login(box, "alice");
        client.put(ALICE + "note", "hello");
        box.restore(prepared);
        assertEquals(List.of("hello.txt", "welcome"), notes());
        // What was issued before the restore is unknown after it.
        assertRefused(400, "InvalidToken", client.get(ALICE + "welcome"));
    }

    @Test
    void eachSandboxHasItsOwnClock() {
        try (var other = Virga.create(prepared)) {
            var aged = login(box, "alice");
            var fresh = login(other, "alice");
            box.control("POST", "/clock", "{\"age\":\"PT1H5M\"}");
            assertRefused(400, "ExpiredToken", aged.get(ALICE + "welcome"));
            assertEquals(200, fresh.get(ALICE + "welcome").statusCode());
        }
    }

    @Test
    void aBadTokenIsRefused() {
        var answer = box.control("POST", "/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\"fault\":\"wrongAudience\"}");
        var token = Pattern.compile("\"token\":\"([^\"]*)\"").matcher(answer).results().findFirst().orElseThrow().group(1);
        var refusal = assertThrows(Virga.Refusal.class, () -> box.assume(ROLE, token));
        assertEquals("InvalidIdentityToken", refusal.code);
    }
}
