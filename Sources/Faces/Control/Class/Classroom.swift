import Cryptography
import Synchronization
package import WireFormats

/// The class of a process: the students, the sandbox of each, and the codes in the links that sign them in.
///
/// It is kept in memory, because the sessions of the web console also end with the process. A code cannot be guessed: it has 60 or 80 random
/// bits. The class code creates a student for a new name and never opens the sandbox of another student. A student's code signs in one browser
/// at a time.
package final class Classroom: Sendable {
    /// How students' sandboxes are created.
    package struct Settings: Sendable, Equatable {
        /// What they are made from: `seed`, or a snapshot or sandbox.
        package var from = "seed"
        /// The most students.
        package var limit = 40
        /// Whether each has root access keys of its own.
        package var hasRandomRoot = true
        /// After how many seconds the sandboxes are removed; `nil` for never.
        package var lifetime: Int64?
    }

    /// A student.
    package struct Student: Sendable {
        /// The name that the teacher or the student typed.
        package var name: String
        /// The name of the sandbox.
        package var sandbox: String
        /// The code of the student's own link; `nil` if it was revoked.
        package var code: String?
        /// The session of the browser that is signed in, with the time of the sign-in.
        var session: (id: String, begun: Timestamp)?

        /// The session that ends with the student's place in the class.
        package var sessionToEnd: String? { session?.id }
    }

    /// Who joined with a code.
    package struct Entry: Sendable {
        /// The student.
        package var student: Student
        /// The session of the browser.
        package var session: String
    }

    /// Why a call about the class is refused.
    package enum Refusal: Error, Sendable, Equatable {
        /// There is no class.
        case noClass
        /// No link has the code, or the link was revoked.
        case unknownCode
        /// Another browser is signed in with the code.
        case codeInUse
        /// Another student has the name.
        case nameTaken
        /// The name is empty, too long, or has control characters.
        case invalidName
        /// There are as many students as the class may have.
        case full(limit: Int)
        /// The class has no student with the sandbox.
        case noSuchStudent(String)
    }

    private struct State {
        /// How many classes have ended.
        var number = 0
        var settings: Settings?
        /// The code of the link for the whole class; `nil` while it is closed.
        var code: String?
        /// By sandbox.
        var students: [String: Student] = [:]
        /// The names of students whose sandboxes are being made.
        var arriving: Set<String> = []

        func isTaken(_ key: String) -> Bool {
            arriving.contains(key) || students.values.contains { Classroom.key(of: $0.name) == key }
        }

        func student(withCode code: String) -> Student? {
            students.values.first { $0.code.map { constantTimeEquals($0, code) } ?? false }
        }
    }

    /// The most characters of a student's name.
    static let longestName = 40
    /// How long the session of a browser lasts, as that of the console's cookies.
    private static let sessionLifetime: Duration = .seconds(43_200)

    private let state = Mutex(State())

    package init() {}

    // MARK: The class

    /// The settings, the code of the class link and the students in the natural order of their names; `nil` if there is no class.
    package var description: (settings: Settings, code: String?, students: [Student])? {
        state.withLock { state in
            state.settings.map { ($0, state.code, state.students.values.sorted { NaturalOrder.precedes($0.name, $1.name) }) }
        }
    }

    /// Begins the class, or changes its settings. Students remain.
    /// - Throws: an error if there are no random bytes.
    package func begin(_ settings: Settings) throws {
        let code = try Self.randomCode(length: 12)
        state.withLock { state in
            if state.settings == nil { state.code = code }
            state.settings = settings
        }
    }

    /// Ends the class.
    /// - Returns: the students.
    package func end() -> [Student] {
        state.withLock { state in
            defer { state = State(number: state.number + 1) }
            return Array(state.students.values)
        }
    }

    /// Replaces the code of the class link.
    /// - Parameter isOpen: whether there is a class link from now on.
    /// - Throws: ``Refusal/noClass``.
    package func renewCode(isOpen: Bool) throws {
        let code = try isOpen ? Self.randomCode(length: 12) : nil
        try state.withLock { state in
            guard state.settings != nil else { throw Refusal.noClass }
            state.code = code
        }
    }

    // MARK: Students

    /// Returns what a code opens: a student, or `nil` for the class.
    /// - Throws: ``Refusal/unknownCode``.
    package func owner(of code: String) throws(Refusal) -> Student? {
        let code = Self.normalized(code)
        let (isClass, student) = state.withLock { state in
            (state.code.map { constantTimeEquals($0, code) } ?? false, state.student(withCode: code))
        }
        guard isClass || student != nil else { throw .unknownCode }
        return student
    }

    /// Returns the student whose browser has a session.
    package func student(withSession session: String) -> Student? {
        state.withLock { $0.students.values.first { $0.session?.id == session } }
    }

    /// Adds a student.
    /// - Parameters:
    ///   - makeSandbox: makes a sandbox from the settings and the beginning of its name, and returns its name.
    ///   - removeSandbox: removes the sandbox, because the class ended in the meantime.
    /// - Throws: ``Refusal``, or what `makeSandbox` or `removeSandbox` throws.
    package func add(
        _ name: String, _ makeSandbox: (Settings, _ prefix: String) async throws -> String,
        removeSandbox: (String) async throws -> Void
    ) async throws -> Student {
        let name = try Self.checked(name)
        let key = Self.key(of: name)
        let (settings, number) = try state.withLock { state in
            guard let settings = state.settings else { throw Refusal.noClass }
            guard !state.isTaken(key) else { throw Refusal.nameTaken }
            guard state.students.count + state.arriving.count < settings.limit else { throw Refusal.full(limit: settings.limit) }
            state.arriving.insert(key)
            return (settings, state.number)
        }
        defer { state.withLock { if $0.number == number { $0.arriving.remove(key) } } }
        let code = try Self.randomCode(length: 16)
        let student = Student(name: name, sandbox: try await makeSandbox(settings, Self.prefix(for: name)), code: code)
        let hasEnded = state.withLock { state in
            guard state.number == number else { return true }
            state.students[student.sandbox] = student
            return false
        }
        if hasEnded {
            try await removeSandbox(student.sandbox)
            throw Refusal.noClass
        }
        return student
    }

    /// Signs a browser in as a student.
    /// - Parameters:
    ///   - hasEnded: whether a session was signed out.
    ///   - code: the student's code; `nil` if the student was just added with the class code.
    /// - Throws: ``Refusal/codeInUse`` or ``Refusal/unknownCode``.
    package func enter(
        _ sandbox: String, code: String?, at now: Timestamp = .now(), hasEnded: (String) -> Bool
    ) throws -> Entry {
        let session = Self.sessionPrefix + (try randomBytes(15).base64url)
        return try state.withLock { state in
            guard var student = state.students[sandbox], code == nil || student.code == Self.normalized(code ?? "") else {
                throw Refusal.unknownCode
            }
            if let present = student.session, !hasEnded(present.id), present.begun + Self.sessionLifetime > now {
                throw Refusal.codeInUse
            }
            student.session = (session, now)
            state.students[sandbox] = student
            return Entry(student: student, session: session)
        }
    }

    /// Replaces the code of a student's link.
    /// - Parameter isOpen: whether the student has a link from now on.
    /// - Returns: the student, with the session to end.
    /// - Throws: ``Refusal/noSuchStudent(_:)``.
    package func renewCode(of sandbox: String, isOpen: Bool = true) throws -> (student: Student, endedSession: String?) {
        let code = try isOpen ? Self.randomCode(length: 16) : nil
        return try state.withLock { state in
            guard var student = state.students[sandbox] else { throw Refusal.noSuchStudent(sandbox) }
            let ended = student.session?.id
            (student.code, student.session) = (code, nil)
            state.students[sandbox] = student
            return (student, ended)
        }
    }

    /// Removes a student; the sandbox remains.
    /// - Returns: the student; `nil` if there is none with the sandbox.
    @discardableResult
    package func forget(_ sandbox: String) -> Student? { state.withLock { $0.students.removeValue(forKey: sandbox) } }

    // MARK: Names and codes

    /// The beginning of a student's session, which no other session of the console has.
    static let sessionPrefix = "student-"

    /// Returns whether a session of the console is a student's.
    package static func isOfStudent(_ session: String) -> Bool { session.hasPrefix(sessionPrefix) }

    private static func checked(_ name: String) throws(Refusal) -> String {
        let name = name.split { $0.isWhitespace }.joined(separator: " ")
        guard !name.isEmpty, name.count <= longestName, name.utf8.count <= 4 * longestName,
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0.properties.generalCategory != .format })
        else { throw .invalidName }
        return name
    }

    /// What two spellings of a name have in common.
    private static func key(of name: String) -> String { name.lowercased() }

    /// The beginning of the name of a student's sandbox: the letters and digits of ASCII.
    private static func prefix(for name: String) -> String {
        let words = name.lowercased().utf8.split { byte in
            !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
        }
        let text = String(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(24))
        let trimmed = text.hasSuffix("-") ? String(text.dropLast()) : text
        return trimmed.isEmpty ? "student" : trimmed
    }

    /// Letters and digits that cannot be confused when they are typed. (Crockford's Base32.)
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    private static func randomCode(length: Int) throws -> String {
        String(try randomBytes(length).map { alphabet[Int($0 & 31)] })
    }

    /// Returns a code as it is stored: without the hyphens of its display, in lower case.
    private static func normalized(_ code: String) -> String {
        String(
            code.prefix(64).lowercased().compactMap { character in
                switch character {
                case "-", " ": nil
                case "o": "0"
                case "i", "l": "1"
                default: character
                }
            })
    }

    /// Returns a code in groups of four.
    static func grouped(_ code: String) -> String {
        stride(from: 0, to: code.count, by: 4).map { String(code.dropFirst($0).prefix(4)) }.joined(separator: "-")
    }
}
