import WireFormats

/// The buckets of a store in memory: by name, in the order of the names, and by identity.
///
/// A change or a page of a list does not visit the other buckets, however many there are.
struct BucketTable: Sendable {
    private var buckets: [String: Bucket] = [:]
    /// The names, in order.
    private var names: [String] = []
    private var nameOf: [Bucket.ID: String] = [:]
    /// The names of the buckets that have additional host names, which are few.
    private var hosted: Set<String> = []

    /// Creates a table with the buckets of a database.
    init(_ loaded: [Bucket] = []) {
        for bucket in loaded { keep(bucket) }
        names = buckets.keys.sorted()
    }

    subscript(name: String) -> Bucket? { buckets[name] }

    /// Every bucket, ordered by name.
    var all: [Bucket] { names.compactMap { buckets[$0] } }

    /// The buckets that have additional host names.
    var withHosts: [Bucket] { hosted.compactMap { buckets[$0] } }

    /// Adds a bucket, or replaces the one with its name.
    mutating func insert(_ bucket: Bucket) {
        if let old = buckets[bucket.name] {
            nameOf[old.id] = nil
        } else {
            names.insert(bucket.name, at: firstIndex { $0 >= bucket.name })
        }
        keep(bucket)
    }

    /// Removes a bucket, if it exists.
    mutating func remove(_ id: Bucket.ID) {
        guard let name = nameOf.removeValue(forKey: id) else { return }
        buckets[name] = nil
        hosted.remove(name)
        names.remove(at: firstIndex { $0 >= name })
    }

    /// Replaces the configuration of a bucket, if it exists.
    mutating func configure(_ id: Bucket.ID, _ configuration: BucketConfiguration) {
        guard let name = nameOf[id], var bucket = buckets[name] else { return }
        bucket.configure(configuration)
        keep(bucket)
    }

    /// Returns the first buckets after a name, in order.
    /// - Parameters:
    ///   - prefix: the prefix of the names.
    ///   - marker: the name after which the page begins; `nil` for the first page.
    ///   - limit: the maximum number of buckets.
    ///   - shown: returns the bucket as the page shows it; `nil` if the page does not contain it.
    func page(prefix: String, after marker: String?, limit: Int, _ shown: (Bucket) -> Bucket?) -> BucketPage {
        var page = BucketPage(buckets: [], isTruncated: false)
        let start = max(firstIndex { $0 >= prefix }, marker.map { marker in firstIndex { $0 > marker } } ?? 0)
        for name in names[start...] {
            guard name.utf8.starts(with: prefix.utf8) else { break }
            guard let bucket = buckets[name].flatMap(shown) else { continue }
            if page.buckets.count == limit {
                page.isTruncated = true
                break
            }
            page.buckets.append(bucket)
        }
        return page
    }

    private mutating func keep(_ bucket: Bucket) {
        buckets[bucket.name] = bucket
        nameOf[bucket.id] = bucket.name
        if bucket.configuration.documents[.ossHosts] != nil { hosted.insert(bucket.name) } else { hosted.remove(bucket.name) }
    }

    /// Returns the index of the first name that satisfies a condition, which all later names satisfy, too.
    private func firstIndex(where condition: (String) -> Bool) -> Int {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(names[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A page of a list of buckets.
package struct BucketPage: Sendable {
    /// The buckets, ordered by name.
    package var buckets: [Bucket]
    /// Whether there are further buckets.
    package var isTruncated: Bool
}
