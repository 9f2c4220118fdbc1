import Calls
import Cloud
import HTTPTypes
import NIOPosix
import Seeds
import WireFormats

extension ControlFace {
    /// The longest seed in bytes; seeds may contain objects.
    private static let longestSeed = 64 << 20

    /// Parses one seed at a time. A large seed takes long and would block a thread that serves requests.
    private static let seedReader: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        return pool
    }()

    /// `/_virga/seed`: GET exports the cloud as a seed. PUT empties the cloud and loads a seed; later resets load it again.
    func answerSeed(_ call: Call) async throws -> Response {
        let cloud = call.cloud
        guard call.method == .put else { return try await exportSeed(of: cloud) }
        let file = SeedFile(name: "seed", text: try await call.collectBody(upTo: Self.longestSeed))
        let seeds: [Seed]
        do {
            let dialect = cloud.seedDialect
            seeds = try await Self.seedReader.runIfActive { try SeedFile.decode([file], dialect) }
        } catch let faults as SeedFaults {
            throw ControlError(faults)
        }
        // The server reads these settings only at its start.
        let (rule, targets) = (cloud.regionRule, cloud.eventTargets)
        try await cloud.reset(to: seeds)
        try await sandboxKeeper?.keepSeed(file, of: cloud)
        var unapplied: [JSONValue] = []
        if cloud.regionRule != rule { unapplied.append("regions") }
        if cloud.eventTargets != targets { unapplied.append("eventTargets") }
        return .json(unapplied.isEmpty ? ["status": "ok"] : ["status": "ok", "needsRestart": .array(unapplied)])
    }

    /// Returns a cloud as a seed.
    func exportSeed(of cloud: Cloud) async throws -> Response {
        let export = try await SeedExport(of: cloud)
        var response = Response(status: .ok, contentType: "application/json", text: export.seed.serialized(pretty: true) + "\n")
        for note in export.leftOut { response.headers.append(HTTPField(name: .leftOut, value: note)) }
        return response
    }
}

extension ControlError {
    /// Creates the error that lists the faults of a seed.
    init(_ faults: SeedFaults) {
        let count = faults.count
        self.init(.badRequest, "invalid_seed", "The seed has \(count == 1 ? "1 fault" : "\(count) faults"). Nothing was changed.")
        details["faults"] = .array(
            faults.faults.map { fault in
                [
                    "line": fault.line.map { .integer(Int64($0)) } ?? .null, "column": fault.column.map { .integer(Int64($0)) } ?? .null,
                    "path": .string(fault.place), "message": .string(fault.message),
                ]
            })
    }
}

extension HTTPField.Name {
    /// A header that names something which the exported seed does not contain.
    fileprivate static let leftOut = HTTPField.Name(literal: "x-virga-left-out")
}
