import Calls
import Cloud
import HTTPTypes
import NIOPosix
import Seeds
import WireFormats

extension ControlFace {
    /// Bytes that a seed may have: objects can be in it.
    private static let longestSeed = 64 << 20

    /// Reads one seed at a time: a large one takes long, and would keep a thread that serves requests.
    private static let seedReader: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        return pool
    }()

    /// `/_virga/seed`: GET returns the cloud as a seed, PUT empties the cloud and fills it from a seed, which later resets apply as well.
    func answerSeed(_ call: Call) async throws -> Response {
        let cloud = call.cloud
        guard call.method == .put else {
            let export = try await SeedExport(of: cloud)
            var response = Response(
                status: .ok, contentType: "application/json", text: export.seed.serialized(pretty: true) + "\n")
            for note in export.leftOut { response.headers.append(HTTPField(name: .leftOut, value: note)) }
            return response
        }
        let file = SeedFile(name: "seed", text: try await call.collectBody(upTo: Self.longestSeed))
        let seeds: [Seed]
        do {
            let dialect = cloud.seedDialect
            seeds = try await Self.seedReader.runIfActive { try SeedFile.decode([file], dialect) }
        } catch let faults as SeedFaults {
            throw ControlError(faults)
        }
        // The server reads these once, when it starts.
        let (rule, targets) = (cloud.regionRule, cloud.eventTargets)
        try await cloud.reset(to: seeds)
        var unapplied: [JSONValue] = []
        if cloud.regionRule != rule { unapplied.append("regions") }
        if cloud.eventTargets != targets { unapplied.append("eventTargets") }
        return .json(unapplied.isEmpty ? ["status": "ok"] : ["status": "ok", "needsRestart": .array(unapplied)])
    }
}

extension ControlError {
    fileprivate init(_ faults: SeedFaults) {
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
    /// Something that an exported seed does not hold.
    fileprivate static let leftOut = HTTPField.Name(literal: "x-virga-left-out")
}
