import Policy
import Testing
import WireFormats

@Suite("Actions and resources of a statement")
struct PatternTests {
    @Test(
        "actions match without regard to case, with wildcards",
        arguments: [
            ("*", "s3:GetObject", true), ("s3:*", "s3:GetObject", true), ("S3:gEtObJeCt", "s3:GetObject", true),
            ("s3:Get*", "s3:GetObjectTagging", true), ("s3:Get*", "s3:PutObject", false), ("s3:?etObject", "s3:GetObject", true),
            ("s3:?GetObject", "s3:GetObject", false), ("s3:*Object*", "s3:GetObjectAcl", true), ("*:GetObject", "s3:GetObject", true),
            ("s3:GetObject", "s3:GetObjectAcl", false), ("s3:GetObjectAcl", "s3:GetObject", false), ("iam:*", "s3:GetObject", false),
        ] as [(String, String, Bool)])
    func actions(_ pattern: String, _ action: String, _ matches: Bool) throws {
        #expect(try allows(["Action": .string(pattern)], request(action)) == matches)
        #expect(try allows(["NotAction": .string(pattern)], request(action)) == !matches)
    }

    @Test(
        "resources match with regard to case, and wildcards cross / and :",
        arguments: [
            ("*", "arn:aws:s3:::b/k", true), ("arn:aws:s3:::b/*", "arn:aws:s3:::b/k", true), ("arn:aws:s3:::b/*", "arn:aws:s3:::b", false),
            ("arn:aws:s3:::b/*", "arn:aws:s3:::b/", true), ("arn:aws:s3:::b/*", "arn:aws:s3:::b/x/y:z", true),
            ("arn:aws:s3:::B/*", "arn:aws:s3:::b/k", false), ("arn:aws:s3:::b/*.txt", "arn:aws:s3:::b/a.txt.txt", true),
            ("arn:aws:s3:::b/*.txt", "arn:aws:s3:::b/a.txt.bak", false), ("arn:aws:s3:::b/?/*", "arn:aws:s3:::b/x/k", true),
            ("arn:aws:s3:::b/?/*", "arn:aws:s3:::b/xy/k", false), ("arn:aws:sqs:*:*:q", "arn:aws:sqs:eu:1:x:y:q", true),
            ("arn:aws:s3*", "arn:aws:s3:::b/k", true), ("arn:aws:s3:::a*b*c", "arn:aws:s3:::abxbc", true),
            ("arn:aws:s3:::a*b*c", "arn:aws:s3:::acb", false), ("arn:aws:s3:::**", "arn:aws:s3:::", true),
            ("arn:aws:s3:::[a-z]", "arn:aws:s3:::x", false), ("arn:aws:s3:::b/e\u{301}", "arn:aws:s3:::b/é", false),
        ] as [(String, String, Bool)])
    func resources(_ pattern: String, _ resource: String, _ matches: Bool) throws {
        #expect(try allows(["Resource": .string(pattern)], request(on: resource)) == matches)
        #expect(try allows(["NotResource": .string(pattern)], request(on: resource)) == !matches)
    }

    @Test("one of several values is enough")
    func lists() throws {
        #expect(try allows(["Action": ["s3:PutObject", "s3:GetObject"]], request()))
        #expect(try !allows(["NotAction": ["s3:PutObject", "s3:GetObject"]], request()))
        #expect(try allows(["Resource": ["arn:aws:s3:::x", "arn:aws:s3:::b/k"]], request()))
    }

    @Test(
        "a question mark matches one UTF-16 unit",
        arguments: [
            ("?", "é", true), ("?", "☂", true), ("??", "☂", false), ("??", "🌦", true), ("?", "🌦", false), ("a?b", "aéb", true),
            ("*?", "", false), ("*??", "é", false), ("*?é", "éé", true), ("???*", "x🌦", true), ("🌦?", "🌦x", true), ("🌦*?🌦", "🌦x🌦", true),
            ("?", "", false), ("*🌦", "a🌦", true),
        ] as [(String, String, Bool)])
    func units(_ pattern: String, _ text: String, _ matches: Bool) throws {
        #expect(try holds("StringLike", .string(pattern), text) == matches)
    }

    @Test("agrees with a simple matcher on random patterns")
    func random() throws {
        // A simple recursive matcher over characters, for comparison.
        func matches(_ pattern: Substring, _ text: Substring) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            if first == "*" { return matches(pattern.dropFirst(), text) || !text.isEmpty && matches(pattern, text.dropFirst()) }
            guard let character = text.first, first == "?" || first == character else { return false }
            return matches(pattern.dropFirst(), text.dropFirst())
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<3000 {
            let pattern = generator.text(of: ["a", "b", "é", "*", "?"], upTo: 7)
            let text = generator.text(of: ["a", "b", "é"], upTo: 8)
            #expect(try holds("StringLike", .string(pattern), text) == matches(pattern[...], text[...]), "\(pattern) on \(text)")
        }
    }
}

/// A repeatable generator of random numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func text(of alphabet: [String], upTo length: Int) -> String {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &self)] }.joined()
    }
}
