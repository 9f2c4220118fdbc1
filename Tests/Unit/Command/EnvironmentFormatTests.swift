import ClientEnvironment
import Testing
import WireFormats

@testable import VirgaCommand

@Suite("Formats of environment variables")
struct EnvironmentFormatTests {
    /// A value, and how each format writes it; `nil` if the format refuses it.
    struct Example: Sendable, CustomTestStringConvertible {
        let value: String
        let sh: String
        let fish: String
        let powershell: String
        let dotenv: String?
        let github: String?

        var testDescription: String { value }

        /// - Parameters:
        ///   - dotenv: the value in a file of variables; `nil` if it is refused there.
        ///   - isLine: whether the value is one line.
        init(
            _ value: String, sh: String? = nil, fish: String? = nil, powershell: String? = nil, dotenv: String?, isLine: Bool = true
        ) {
            self.value = value
            self.sh = sh ?? "'\(value)'"
            self.fish = fish ?? "'\(value)'"
            self.powershell = powershell ?? "'\(value)'"
            self.dotenv = dotenv
            github = isLine ? value : nil
        }
    }

    private static let examples: [Example] = [
        Example("task-token_1./:@%+=,*[]?", dotenv: "task-token_1./:@%+=,*[]?"),
        Example("", dotenv: ""),
        Example("Bearer a; touch x", dotenv: "'Bearer a; touch x'"),
        Example("$(touch x)`touch x`$HOME", dotenv: "'$(touch x)`touch x`$HOME'"),
        Example("a|b>c<d&e!f~g{h}i^j", dotenv: "'a|b>c<d&e!f~g{h}i^j'"),
        Example(#"a"b#c"#, dotenv: #"'a"b#c'"#),
        Example(#"a\b"#, fish: #"'a\\b'"#, dotenv: #"'a\b'"#),
        Example(
            "it's; touch x", sh: #"'it'\''s; touch x'"#, fish: #"'it\'s; touch x'"#, powershell: "'it''s; touch x'",
            dotenv: "\"it's; touch x\""),
        // The quote and the accent are one character, but not one byte.
        Example(
            "'\u{301}; touch x", sh: "''\\''\u{301}; touch x'", fish: "'\\'\u{301}; touch x'", powershell: "'''\u{301}; touch x'",
            dotenv: "\"'\u{301}; touch x\""),
        Example("a\u{2019}; touch x", powershell: "'a\u{2019}\u{2019}; touch x'", dotenv: "'a\u{2019}; touch x'"),
        // What programs that read files of variables understand in several ways is refused there.
        Example(
            "it's $(touch x)", sh: #"'it'\''s $(touch x)'"#, fish: #"'it\'s $(touch x)'"#, powershell: "'it''s $(touch x)'", dotenv: nil),
        Example("${HOME}", dotenv: nil),
        Example(#"a\\b"#, fish: #"'a\\\\b'"#, dotenv: nil),
        Example(#"a\"#, fish: #"'a\\'"#, dotenv: nil),
        Example("a\nPATH=.", dotenv: nil, isLine: false),
        Example("a\rPATH=.", dotenv: nil, isLine: false),
        Example("a\u{85}PATH=.", dotenv: nil, isLine: false),
    ]

    private static func variables(_ token: String) -> ClientVariables {
        ClientVariables(endpoint: "http://127.0.0.1:4566", identity: .source(.container(path: "/c", token: token)))
    }

    @Test("have values without a meaning for the program that reads them", arguments: examples)
    func values(_ example: Example) throws {
        let name = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
        let expected: [(EnvironmentFormat, String?)] = [
            (.sh, "export \(name)=\(example.sh)"), (.fish, "set --export --global \(name) \(example.fish)"),
            (.powershell, "$env:\(name) = \(example.powershell)"), (.dotenv, example.dotenv.map { "\(name)=\($0)" }),
            (.github, example.github.map { "\(name)=\($0)" }),
        ]
        let variables = Self.variables(example.value)
        for (format, line) in expected {
            guard let line else {
                let error = #expect(throws: Failure.self) { try format.lines(variables) }
                #expect(error?.description.contains("the value of \(name) has characters that the format \(format.rawValue)") == true)
                continue
            }
            let lines = try format.lines(variables)
            #expect(lines.contains { $0 == line })
        }
    }

    @Test(
        "have profiles only with values that SDKs read as a whole",
        arguments: [
            ("/a b/token", true), ("/a'$(x)\"/token", true), ("/a#b", true), ("/a #b", false), ("/a ;b", false), ("/a ", false),
            ("/a\n[default]", false),
        ])
    func profiles(file: String, isWritten: Bool) throws {
        let person = ClientVariables.Person(user: "alice", provider: "company")
        let variables = ClientVariables(
            endpoint: "http://127.0.0.1:4566", identity: .token(person, role: "arn:aws:iam::000000000000:role/r", file: file))
        if isWritten {
            let lines = try EnvironmentFormat.profile.lines(variables)
            #expect(lines.contains { $0 == "web_identity_token_file = \(file)" })
        } else {
            #expect(throws: Failure.self) { try EnvironmentFormat.profile.lines(variables) }
        }
    }
}
