import Testing
import WireFormats

@Suite("Form fields and raw queries")
struct FormFieldsTests {
    @Test("fields keep their order and their repetitions")
    func parses() throws {
        let form = try #require(FormFields(parsing: "Action=AssumeRole&Tag=a+b&&Tag=c%26d&empty=&bare&x=y=z"))
        #expect(form.fields.map(\.name) == ["Action", "Tag", "Tag", "empty", "bare", "x"])
        #expect(form["Action"] == "AssumeRole")
        #expect(form.first("Tag") == "a b")
        #expect(form.all(named: "Tag") == ["a b", "c&d"])
        #expect(form["empty"] == "")
        #expect(form["bare"] == "")
        #expect(form["x"] == "y=z")
        #expect(form["absent"] == nil)
    }

    @Test("broken escapes and other encodings are refused", arguments: ["a=%", "a=%4", "%zz=a", "a=%FF"])
    func refuses(text: String) {
        #expect(FormFields(parsing: text) == nil)
    }

    @Test("a body is parsed like its text, and must be UTF-8")
    func bytes() {
        let text = "a=b&&c=%26+%c3%a9&d=é&=&e"
        #expect(FormFields(parsing: Array(text.utf8)) == FormFields(parsing: text))
        #expect(FormFields(parsing: [UInt8](text.utf8) + [0xFF]) == nil)
        #expect(FormFields(parsing: [])?.fields.isEmpty == true)
    }

    @Test("serialized fields are parsed again")
    func roundTrips() {
        let form: FormFields = ["a": "x y&z=+", "ключ": "знач", "": "", "a": "again"]
        #expect(FormFields(parsing: form.encoded) == form)
        #expect(form.encoded.hasPrefix("a=x%20y%26z%3D%2B&"))
    }

    @Test("a raw query keeps what was sent, and distinguishes an empty value from none")
    func rawQuery() {
        let query = RawQuery("uploads&prefix=a%2fb+c&empty=&X%2DAmz=1")
        #expect(query.items.map(\.name) == ["uploads", "prefix", "empty", "X%2DAmz"])
        #expect(query["uploads"]?.value == .some(nil))
        #expect(query["empty"]?.value == "")
        #expect(query["prefix"]?.value == "a%2fb+c")
        #expect(query["prefix"]?.decodedValue == "a/b c")
        #expect(query["X-Amz"]?.value == "1")
        #expect(query["absent"] == nil)
        #expect(query.text == "uploads&prefix=a%2fb+c&empty=&X%2DAmz=1")
        #expect(RawQuery(nil).items.isEmpty)
    }
}
