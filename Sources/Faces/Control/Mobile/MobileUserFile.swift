import Cloud
import Directory
import WireFormats

/// A CSV file with one user a line, in the format with which Oracle Cloud imports accounts. The columns are `First Name`, `Last Name`,
/// `Email` and optionally `User Login`; without it, the email address is the user name. `Password` and `Roles` (separated by semicolons)
/// are additions for mobile users. (Getting Started with Oracle Cloud, "Import a Batch of User Accounts"; RFC 4180.)
struct MobileUserFile {
    /// A fault in a line, whose number starts at 1.
    struct Fault: Error, Hashable {
        var line: Int
        var message: String
    }

    private(set) var users: [(line: Int, user: MobileUser)] = []
    private(set) var faults: [Fault] = []

    private enum Heading: String, CaseIterable {
        case firstName = "First Name"
        case lastName = "Last Name"
        case email = "Email"
        case login = "User Login"
        case password = "Password"
        case roles = "Roles"

        var isRequired: Bool { self == .firstName || self == .lastName || self == .email }
    }

    /// Parses as much of the file as possible; ``faults`` lists the errors. The users' IDs are empty.
    init(parsing bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            faults = [Fault(line: 1, message: "The file must be in UTF-8.")]
            return
        }
        var records: [Record]
        do throws(Fault) {
            records = try Self.records(text.first == "\u{FEFF}" ? text.dropFirst() : text[...])
        } catch {
            faults = [error]
            return
        }
        guard !records.isEmpty else {
            faults = [Fault(line: 1, message: Self.headingForm)]
            return
        }
        let first = records.removeFirst()
        let headings = first.values.map { Heading(rawValue: $0) }
        let known = Set(headings.compactMap { $0 })
        guard !headings.contains(nil), known.count == headings.count, Heading.allCases.allSatisfy({ !$0.isRequired || known.contains($0) })
        else {
            faults = [Fault(line: first.line, message: Self.headingForm)]
            return
        }
        for record in records { read(record, headings.compactMap { $0 }) }
    }

    private static let headingForm = "The first line must be First Name,Last Name,Email and optionally User Login, Password, Roles."

    private mutating func read(_ record: Record, _ headings: [Heading]) {
        guard record.values.count == headings.count else {
            faults.append(Fault(line: record.line, message: "Expected \(headings.count) values, found \(record.values.count)."))
            return
        }
        let values = Dictionary(uniqueKeysWithValues: zip(headings, record.values))
        func value(_ heading: Heading) -> String? { values[heading].flatMap { $0.isEmpty ? nil : $0 } }
        if let missing = Heading.allCases.first(where: { $0.isRequired && value($0) == nil }) {
            faults.append(Fault(line: record.line, message: "\(missing.rawValue) must have a value."))
            return
        }
        let email = value(.email) ?? ""
        guard email.split(separator: "@", omittingEmptySubsequences: false).map({ !$0.isEmpty }) == [true, true] else {
            faults.append(Fault(line: record.line, message: "Email must be an email address, not '\(email)'."))
            return
        }
        let name = value(.login) ?? email
        guard !name.contains(":"), !["~", "me", "login"].contains(name) else {
            faults.append(Fault(line: record.line, message: "User Login must be a user name without a colon, not '\(name)'."))
            return
        }
        let roles = (value(.roles) ?? "").split(separator: ";").map(Self.trimmed).filter { !$0.isEmpty }
        users.append(
            (
                record.line,
                MobileUser(
                    id: "", username: name, password: value(.password), email: email, firstName: value(.firstName),
                    lastName: value(.lastName), roles: roles)
            ))
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        return String(start.prefix(start.lastIndex { $0 != " " }.map { start.distance(from: start.startIndex, to: $0) + 1 } ?? 0))
    }

    private struct Record {
        var line: Int
        var values: [String]
    }

    /// Returns the lines. They end with LF or CRLF; empty lines are skipped.
    private static func records(_ text: Substring) throws(Fault) -> [Record] {
        var (records, values, value): ([Record], [String], String) = ([], [], "")
        var (line, start, isQuoted, wasQuoted) = (1, 1, false, false)
        func isBlank(_ values: [String], _ value: String) -> Bool { values.isEmpty && value.isEmpty && !wasQuoted }
        var rest = text[...]
        func endRecord() {
            if !isBlank(values, value) { records.append(Record(line: start, values: values + [value])) }
            (values, value, wasQuoted) = ([], "", false)
        }
        while let character = rest.popFirst() {
            let isLineEnd = character.isNewline
            if isLineEnd { line += 1 }
            switch character {
            case "\"" where isQuoted:
                if rest.first == "\"" {
                    value.append("\"")
                    rest.removeFirst()
                } else {
                    isQuoted = false
                }
            case _ where isQuoted: value.append(character)
            case "\"" where value.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
            case "\"": throw Fault(line: line, message: "A quotation mark in a value must be doubled, and the value quoted.")
            case ",":
                values.append(value)
                (value, wasQuoted) = ("", false)
            case _ where isLineEnd:
                endRecord()
                start = line
            default:
                guard !wasQuoted else { throw Fault(line: line, message: "Expected a comma or the end of the line after a quoted value.") }
                value.append(character)
            }
        }
        guard !isQuoted else { throw Fault(line: start, message: "A quoted value does not end.") }
        endRecord()
        return records
    }
}
