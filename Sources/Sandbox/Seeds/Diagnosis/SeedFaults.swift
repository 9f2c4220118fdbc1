package import Policy
import WireFormats

/// The faults of seeds, ordered by file and position.
package struct SeedFaults: Error, CustomStringConvertible {
    /// The maximum number of faults that are listed. Further ones are only counted.
    package static let most = 100

    /// The listed faults, ordered by file and position.
    package var faults: [SeedError]
    /// The number of faults that are not listed.
    package var more: Int

    package init(faults: [SeedError], more: Int = 0) {
        self.faults = faults
        self.more = more
    }

    /// The number of faults, including those that are not listed.
    package var count: Int { faults.count + more }

    package var description: String {
        (faults.map(\.description) + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
    }
}

extension SeedFile {
    /// Decodes layered seeds.
    /// - Parameter dialect: the dialect of their policies and accounts.
    /// - Throws: `SeedFaults` with all faults of all files.
    package static func decode(_ files: [SeedFile], _ dialect: PolicyDialect = .aws) throws -> [Seed] {
        do {
            let seeds = try files.map { try $0.decode(dialect) }
            try Seed.checkTogether(seeds)
            return seeds
        } catch {
            // The search for all faults runs only if there is at least one.
            let faults = Self.faults(of: files, dialect)
            guard faults.faults.isEmpty else { throw faults }
            throw error
        }
    }

    /// Returns the faults of layered seeds.
    ///
    /// Duplicate names are reported only if every file can be decoded. Unknown names are reported only if, in addition, no part was omitted
    /// that may contain them.
    /// - Parameter dialect: the dialect of their policies and accounts.
    package static func faults(of files: [SeedFile], _ dialect: PolicyDialect = .aws) -> SeedFaults {
        var faults: [[SeedError]] = []
        var scanners: [JSON5Scanner?] = []
        var seeds: [Seed] = []
        var losesNames = false
        var count = 0
        for file in files {
            do {
                let scanner = try JSON5Scanner(recording: file.text)
                let collector = SeedFaultCollector()
                if let seed = SeedFaultCollector.$current.withValue(
                    collector, operation: { file.seed(dialect, collector, scanner.readable) })
                {
                    seeds.append(seed)
                } else {
                    losesNames = true
                }
                losesNames = losesNames || collector.losesNames
                count += collector.count + scanner.countOfDuplicates
                faults.append(
                    collector.faults.map { $0.positioned(in: file, scanner) } + scanner.duplicates.map { file.fault($0.fault, at: $0.path) }
                )
                scanners.append(scanner)
            } catch {
                losesNames = true
                count += 1
                faults.append([file.fault(error, at: "")])
                scanners.append(nil)
            }
        }
        // Files are identified by their index here, since two can have the same name.
        for index in seeds.indices { seeds[index].file = "\(index)" }
        if seeds.count == files.count {
            let collector = SeedFaultCollector()
            SeedFaultCollector.$current.withValue(collector) {
                do {
                    if losesNames { try Seed.check(seeds) } else { try Seed.checkTogether(seeds) }
                } catch let error as SeedError {
                    collector.add(error)
                } catch {}
            }
            count += collector.count
            for fault in collector.faults {
                guard let index = Int(fault.file), let scanner = scanners[index] else { continue }
                let isKnown = faults[index].contains { fault.place.hasPrefix($0.place) || $0.place.hasPrefix(fault.place) }
                if isKnown { count -= 1 } else { faults[index].append(fault.positioned(in: files[index], scanner)) }
            }
        }
        let sorted = faults.flatMap { faults in
            faults.sorted { ($0.line ?? 0, $0.column ?? 0, $0.place) < ($1.line ?? 0, $1.column ?? 0, $1.place) }
        }
        let listed = Array(sorted.prefix(SeedFaults.most))
        return SeedFaults(faults: listed, more: max(0, count - listed.count))
    }

    /// Decodes the seed with substitutes for faulty values; `nil` if a fault has no substitute.
    private func seed(_ dialect: PolicyDialect, _ collector: SeedFaultCollector, _ scanned: [UInt8]) -> Seed? {
        do {
            return try decodeUnchecked(dialect, scanned: scanned)
        } catch let error as SeedError {
            collector.add(error, losesNames: true)
        } catch {
            collector.add(SeedError(file: name, place: "", expected: "a JSON5 document (\(error))"), losesNames: true)
        }
        return nil
    }

    private func fault(_ fault: JSON5Scanner.Fault, at place: String) -> SeedError {
        var error = SeedError(file: name, place: place, expected: fault.expected)
        error.line = fault.line
        error.column = fault.column
        if !place.isEmpty {
            error.problem = "the object has this key already"
            error.expected = "each key once"
        }
        return error
    }
}

extension SeedError {
    /// Returns the fault with its position and a description of the value that was found.
    fileprivate func positioned(in file: SeedFile, _ scanner: JSON5Scanner) -> SeedError {
        var error = self
        error.file = file.name
        // A missing value is reported at the object that should contain it.
        guard let (found, isThere) = scanner.place(at: place) else { return error }
        let isKey = problem?.hasPrefix("unknown key") == true || problem?.contains("' is now '") == true
        (error.line, error.column) = scanner.position(of: isKey ? found.key : found.value)
        guard problem == nil else { return error }
        if isThere, let rest = expected.firstRange(of: ", not '") {
            // The fault is about a name: it is unknown or a duplicate.
            let name = expected[expected.index(rest.upperBound, offsetBy: -1)...]
            error.expected = String(expected[..<rest.lowerBound])
            error.problem =
                name.hasSuffix(" again") ? "\(name.dropLast(" again".count)) is already used" : "unknown name \(name)"
            return error
        }
        let key = place.split(separator: ".").last.map { String($0) } ?? place
        error.problem = isThere ? "found \(found.found)" : "'\(key)' is missing"
        if isThere, let text = found.text {
            // If there are only a few valid texts, the expected description lists them.
            let words = expected.replacing(" or ", with: ", ").replacing("one of ", with: "").split(separator: ", ").map { String($0) }
            error.suggestion = suggestion ?? nearestWord(to: text, among: words.filter { !$0.contains(" ") })
        }
        return error
    }
}
