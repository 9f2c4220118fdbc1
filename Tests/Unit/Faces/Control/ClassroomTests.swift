import Testing
import WireFormats

@testable import ControlFace

@Suite("A class")
struct ClassroomTests {
    /// Makes sandboxes with numbered names.
    private static func add(_ names: String..., to classroom: Classroom) async throws -> [Classroom.Student] {
        var students: [Classroom.Student] = []
        for name in names {
            let count = students.count
            let student = try await classroom.add(name) { _, prefix in
                "\(prefix)-\(count)"
            } removeSandbox: { _ in
            }
            students.append(student)
        }
        return students
    }

    private static func classroom(limit: Int = 40) throws -> Classroom {
        let classroom = Classroom()
        var settings = Classroom.Settings()
        settings.limit = limit
        try classroom.begin(settings)
        return classroom
    }

    @Test(
        "names sandboxes by the letters and digits of ASCII",
        arguments: [
            ("Anna Adler", "anna-adler-0"), ("  Anna\tAdler ", "anna-adler-0"), ("李雷", "student-0"), ("-", "student-0"),
            ("O'Neil 2", "o-neil-2-0"), ("A name that is longer than others", "a-name-that-is-longer-th-0"),
        ])
    func sandboxNames(name: String, sandbox: String) async throws {
        #expect(try await Self.add(name, to: Self.classroom())[0].sandbox == sandbox)
    }

    @Test("lists students in the natural order of their names")
    func order() async throws {
        let classroom = try Self.classroom()
        _ = try await Self.add("Student 10", "student 2", "Émile", "Zoë", "Emil", "Student 02b", "李雷", "Emma", to: classroom)
        let names = classroom.description?.students.map(\.name)
        #expect(names == ["Emil", "Émile", "Emma", "student 2", "Student 02b", "Student 10", "Zoë", "李雷"])
    }

    @Test("has one student for each name, in any spelling")
    func takenNames() async throws {
        let classroom = try Self.classroom()
        _ = try await Self.add("Zoë Müller", to: classroom)
        for name in ["zoë müller", "ZOË  MÜLLER", " Zoë Müller"] {
            await #expect(throws: Classroom.Refusal.nameTaken) { try await Self.add(name, to: classroom) }
        }
    }

    @Test("forgets a name if its sandbox cannot be made")
    func failure() async throws {
        let classroom = try Self.classroom(limit: 1)
        await #expect(throws: SandboxRefusal.stopping) {
            try await classroom.add("Anna") { _, _ in
                throw SandboxRefusal.stopping
            } removeSandbox: { _ in
            }
        }
        _ = try await Self.add("Anna", to: classroom)
        await #expect(throws: Classroom.Refusal.full(limit: 1)) { try await Self.add("Ben", to: classroom) }
    }

    @Test("has no student whose sandbox was being made when it ended, nor the sandbox")
    func end() async throws {
        let classroom = try Self.classroom()
        var removed: [String] = []
        await #expect(throws: Classroom.Refusal.noClass) {
            try await classroom.add("Anna") { _, prefix in
                #expect(classroom.end().isEmpty)
                try classroom.begin(Classroom.Settings())
                return prefix
            } removeSandbox: {
                removed.append($0)
            }
        }
        #expect(removed == ["anna"])
        #expect(classroom.description?.students.isEmpty == true)
    }

    @Test("has no student before it begins")
    func noClass() async throws {
        await #expect(throws: Classroom.Refusal.noClass) { try await Self.add("Anna", to: Classroom()) }
        #expect(throws: Classroom.Refusal.noClass) { try Classroom().renewCode(isOpen: true) }
    }

    @Test("signs one browser in until it signs out, or twelve hours have passed")
    func oneBrowser() async throws {
        let classroom = try Self.classroom()
        let anna = try await Self.add("Anna", to: classroom)[0]
        let start = Timestamp(seconds: 1_000_000)
        let first = try classroom.enter(anna.sandbox, code: anna.code, at: start) { _ in false }
        #expect(Classroom.isOfStudent(first.session))
        #expect(classroom.student(withSession: first.session)?.name == "Anna")
        #expect(throws: Classroom.Refusal.codeInUse) { try classroom.enter(anna.sandbox, code: anna.code, at: start) { _ in false } }
        _ = try classroom.enter(anna.sandbox, code: anna.code, at: start) { $0 == first.session }
        _ = try classroom.enter(anna.sandbox, code: anna.code, at: start + .seconds(43_200)) { _ in false }
        #expect(throws: Classroom.Refusal.unknownCode) { try classroom.enter(anna.sandbox, code: "other") { _ in true } }
    }

    @Test("finds a code as a person types it, and no part of it")
    func codes() async throws {
        let classroom = try Self.classroom()
        let anna = try await Self.add("Anna", to: classroom)[0]
        let code = try #require(anna.code)
        #expect(try classroom.owner(of: Classroom.grouped(code).uppercased())?.name == "Anna")
        #expect(try classroom.owner(of: code.replacing("0", with: "O").replacing("1", with: "l"))?.name == "Anna")
        let ofClass = try #require(classroom.description?.code)
        #expect(try classroom.owner(of: ofClass) == nil)
        for wrong in ["", String(code.dropLast()), code + "0", ofClass + code] {
            #expect(throws: Classroom.Refusal.unknownCode) { try classroom.owner(of: wrong) }
        }
        _ = try classroom.renewCode(of: anna.sandbox)
        try classroom.renewCode(isOpen: false)
        for old in [code, ofClass] { #expect(throws: Classroom.Refusal.unknownCode) { try classroom.owner(of: old) } }
    }
}
