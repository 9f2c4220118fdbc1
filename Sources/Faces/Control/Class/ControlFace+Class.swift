import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlFace {
    /// The most students that one call adds.
    private static let mostNames = 500

    /// Answers the calls below `/_virga/class`, which concern the process.
    func answerClass(_ call: Call, path: String) async throws -> Response {
        let keeper = try keeper()
        let classroom = keeper.classroom
        // The path begins with `/class`.
        let segments = path.split(separator: "/").dropFirst().map { String($0) }
        let isRead = call.method == .get || call.method == .head
        switch (segments.first, segments.count) {
        case (nil, _) where isRead: return describeClass(keeper)
        case (nil, _) where call.method == .put: return try beginClass(try await body(of: call, isOptional: true), keeper)
        case (nil, _): return try await endClass(call, keeper)
        case ("code", _):
            let isOpen = call.method == .post
            try classroom.renewCode(isOpen: isOpen)
            let code = classroom.description?.code.map { JSONValue.string(Classroom.grouped($0)) }
            return .json(isOpen ? ["code": code ?? .null] : ["status": "ok"])
        case ("students", 1): return try await addStudents(try await body(of: call), keeper)
        case ("students", 2):
            let (_, session) = try classroom.renewCode(of: segments[1], isOpen: false)
            if let session { access.console.end(session: session) }
            classroom.forget(segments[1])
            return .json(["status": "ok"])
        case ("students", _):
            let isOpen = call.method == .post
            let (student, session) = try classroom.renewCode(of: segments[1], isOpen: isOpen)
            if let session { access.console.end(session: session) }
            return .json(isOpen ? document(of: student).json : ["status": "ok"])
        case ("join", _) where isRead:
            let student = try classroom.owner(of: call.queryFields?.first("code") ?? "")
            return .json(Document<LinkOwnerMembers> { [$0.kind(student == nil ? "class" : "student"), $0.name(student?.name)] }.json)
        case ("join", _): return try await join(try await body(of: call), keeper)
        default: return try await resetClass(try await body(of: call, isOptional: true), keeper)
        }
    }

    private func describeClass(_ keeper: any SandboxKeeper) -> Response {
        let found = keeper.classroom.description
        let progress = found == nil ? [:] : keeper.progress()
        let students = (found?.students ?? []).map { student in
            Document<ListedStudentMembers> {
                [$0.student(document(of: student)), $0.progress(progress[student.sandbox]?.document)]
            }
        }
        let settings = found.map { Self.document(of: $0.settings, code: $0.code) }
        return .json(Document<ClassMembers> { [$0.settings(settings), $0.students(students)] }.json)
    }

    private static func document(of settings: Classroom.Settings, code: String?) -> Document<ClassSettingsMembers> {
        Document {
            [
                $0.from(settings.from), $0.limit(settings.limit), $0.root(settings.hasRandomRoot ? "random" : "seed"),
                $0.expires(settings.lifetime.map { "PT\($0)S" }), $0.code(code.map(Classroom.grouped)),
            ]
        }
    }

    private func document(of student: Classroom.Student) -> Document<StudentMembers> {
        let isSignedIn = student.session.map { !access.console.hasEnded($0.id) } ?? false
        return Document {
            [
                $0.name(student.name), $0.sandbox(student.sandbox), $0.code(student.code.map(Classroom.grouped)),
                $0.signedIn(isSignedIn),
            ]
        }
    }

    private func beginClass(_ body: JSONObject, _ keeper: any SandboxKeeper) throws -> Response {
        try body.expect(only: ["from", "limit", "root", "expires"])
        var settings = keeper.classroom.description?.settings ?? Classroom.Settings()
        if let from = try body.text("from") {
            guard
                from == "seed" || keeper.snapshots().contains(where: { $0.name == from })
                    || keeper.sandboxes().contains(where: { $0.name == from })
            else { throw SandboxRefusal.noSuchOrigin(from) }
            settings.from = from
        }
        if let limit = body["limit"] {
            guard let number = limit.integerValue, (1...10_000).contains(number) else {
                throw ControlError(.badRequest, "malformed_member", "'limit' must be a number from 1 to 10000.")
            }
            settings.limit = Int(number)
        }
        switch body["root"] {
        case nil: break
        case "random": settings.hasRandomRoot = true
        case "seed": settings.hasRandomRoot = false
        default: throw ControlError(.badRequest, "malformed_member", "'root' must be \"random\" or \"seed\".")
        }
        if let text = try body.text("expires") {
            guard let seconds = Duration(iso8601: text)?.components.seconds, Self.lifetimes.contains(seconds) else {
                throw ControlError(.badRequest, "malformed_member", "'expires' must be a duration from PT1S to P365D, such as PT8H.")
            }
            settings.lifetime = seconds
        }
        try keeper.classroom.begin(settings)
        return .json(Self.document(of: settings, code: keeper.classroom.description?.code).json)
    }

    private func endClass(_ call: Call, _ keeper: any SandboxKeeper) async throws -> Response {
        let removesSandboxes = call.queryFields?.first("sandboxes") == "true"
        guard keeper.classroom.description != nil else { throw Classroom.Refusal.noClass }
        let students = keeper.classroom.end()
        for student in students { student.session.map { access.console.end(session: $0.id) } }
        return await forEach(students) { student in
            if removesSandboxes { try await keeper.delete(student.sandbox) }
        }
    }

    private func addStudents(_ body: JSONObject, _ keeper: any SandboxKeeper) async throws -> Response {
        try body.expect(only: ["names"])
        guard let names = body["names"]?.arrayValue?.map(\.stringValue), !names.isEmpty, names.count <= Self.mostNames,
            !names.contains(nil)
        else {
            throw ControlError(.badRequest, "malformed_member", "'names' must be a list of 1 to \(Self.mostNames) strings.")
        }
        var students: [JSONValue] = []
        for case let name? in names { students.append(document(of: try await add(name, keeper)).json) }
        return .json(["students": .array(students)], status: .created)
    }

    private func add(_ name: String, _ keeper: any SandboxKeeper) async throws -> Classroom.Student {
        try await keeper.classroom.add(name) { settings, prefix in
            var order = SandboxOrder()
            order.prefix = prefix
            order.origin = settings.from == "seed" ? .seeds : .named(settings.from)
            (order.hasPort, order.hasRandomRoot, order.lifetime) = (true, settings.hasRandomRoot, settings.lifetime)
            return try await keeper.create(order).description.name
        } removeSandbox: {
            try await keeper.delete($0)
        }
    }

    /// Signs a browser in: as the student that it is signed in as already, as the student whose code it has, or as a new student.
    private func join(_ body: JSONObject, _ keeper: any SandboxKeeper) async throws -> Response {
        try body.expect(only: ["code", "name", "session"])
        let classroom = keeper.classroom
        let (code, session) = (try body.text("code"), try body.text("session"))
        let owner = try code.map { try classroom.owner(of: $0) } ?? nil
        if let session, !access.console.hasEnded(session), let known = classroom.student(withSession: session),
            owner == nil || owner?.sandbox == known.sandbox
        {
            return joined(Classroom.Entry(student: known, session: session))
        }
        guard let code else { throw Classroom.Refusal.unknownCode }
        let hasEnded = access.console.hasEnded
        if let owner { return joined(try classroom.enter(owner.sandbox, code: code, hasEnded: hasEnded)) }
        let student = try await add(try body.text("name") ?? "", keeper)
        return joined(try classroom.enter(student.sandbox, code: nil, hasEnded: hasEnded))
    }

    private func joined(_ entry: Classroom.Entry) -> Response {
        let student = entry.student
        return .json(
            Document<JoinedMembers> {
                [
                    $0.name(student.name), $0.sandbox(student.sandbox), $0.session(entry.session),
                    $0.code(student.code.map(Classroom.grouped)),
                ]
            }.json)
    }

    private func resetClass(_ body: JSONObject, _ keeper: any SandboxKeeper) async throws -> Response {
        try body.expect(only: ["snapshot"])
        guard let students = keeper.classroom.description?.students else { throw Classroom.Refusal.noClass }
        if let snapshot = try body.text("snapshot") {
            guard keeper.snapshots().contains(where: { $0.name == snapshot }) else { throw SandboxRefusal.noSuchSnapshot(snapshot) }
            return await forEach(students) { try await keeper.restore($0.sandbox, from: snapshot, keepsFaults: false) }
        }
        return await forEach(students) { try await keeper.cloud(of: $0.sandbox).reset() }
    }

    /// Does the same for each student. One failure does not stop the rest.
    private func forEach(
        _ students: [Classroom.Student], _ act: (Classroom.Student) async throws -> Void
    ) async -> Response {
        var failed: [Document<ClassFailureMembers>] = []
        for student in students {
            do {
                try await act(student)
            } catch {
                let known = (error as? SandboxRefusal).map { ControlError($0) }
                failed.append(
                    Document {
                        [
                            $0.sandbox(student.sandbox), $0.error(known?.code ?? "failed"),
                            $0.message(known?.message ?? "The log of the server says why."),
                        ]
                    })
            }
        }
        return .json(Document<ClassChangeMembers> { [$0.done(students.count - failed.count), $0.failed(failed)] }.json)
    }
}

extension ControlError {
    init(_ refusal: Classroom.Refusal) {
        self =
            switch refusal {
            case .noClass: ControlError(.notFound, "no_class", "There is no class. Begin one with PUT /_virga/class.")
            case .unknownCode:
                ControlError(.notFound, "unknown_code", "No link has this code. It was mistyped, revoked, or the class has ended.")
            case .codeInUse:
                ControlError(
                    .conflict, "code_in_use",
                    "Another browser is signed in with this link. Sign out there, or ask the teacher for a new link.")
            case .nameTaken:
                ControlError(
                    .conflict, "name_taken",
                    "A student with this name has joined. If it is you, use the same browser or your own link. Otherwise choose another name."
                )
            case .invalidName:
                ControlError(
                    .badRequest, "invalid_student", "A name has 1 to \(Classroom.longestName) characters and no control characters.")
            case .full(let limit):
                ControlError(.conflict, "class_full", "The class has \(limit) students, which is its limit.")
            case .noSuchStudent(let sandbox):
                ControlError(.notFound, "unknown_student", "The class has no student with the sandbox '\(sandbox.visible)'.")
            }
    }
}
