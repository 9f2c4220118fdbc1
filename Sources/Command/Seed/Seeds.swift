import ArgumentParser
import Cloud
import Federation
import Seeds
import WireFormats

/// Loads the seeds of a new cloud.
enum Seeds {
    /// Returns the seeds in these files, followed by the one in `VIRGA_SEED_JSON`; without any, the personal file store.
    /// - Parameter further: seeds that follow these.
    /// - Throws: `ExitCode` after printing the faults of the seeds.
    static func load(_ paths: [String], _ dialect: Dialect = .aws, further: [SeedFile] = []) throws -> [Seed] {
        var files = try paths.map { try SeedFile(path: $0) }
        if let text = Variables.value("SEED_JSON") { files.append(SeedFile(name: "VIRGA_SEED_JSON", text: Array(text.utf8))) }
        files += further
        guard !files.isEmpty else { return [try SeedFile.personalFileStore.decode()] }
        do {
            let seeds = try SeedFile.decode(files, dialect.ofPolicies)
            for seed in seeds { for part in seed.leftOut { Output.note("\(seed.name): left out: \(part)".visible) } }
            return seeds
        } catch let faults as SeedFaults {
            Output.note(faults.description)
            throw ExitCode.failure
        }
    }
}
