extension Duration {
    /// Parses an ISO 8601 duration in weeks, days, hours, minutes and seconds, such as `PT1H5M` or `P1DT0.5S`.
    ///
    /// Returns `nil` for years and months, whose length depends on the calendar, for fields out of order or empty, and for
    /// numbers that are too large. Only seconds may have a fraction, of at most nine digits.
    package init?(iso8601 text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == 0x50 else { return nil }
        var units: [(letter: UInt8, seconds: Int64)] = [(0x57, 604_800), (0x44, 86_400)]
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
        var isEmpty = true
        var inTime = false
        while !rest.isEmpty {
            if rest.first == 0x54, !inTime {
                rest.removeFirst()
                inTime = true
                isEmpty = true
                units = [(0x48, 3600), (0x4D, 60), (0x53, 1)]
                continue
            }
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            guard 1...12 ~= digits.count else { return nil }
            rest = rest.dropFirst(digits.count)
            let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
            var fraction: ArraySlice<UInt8> = []
            if rest.first == 0x2E {
                fraction = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
                guard 1...9 ~= fraction.count else { return nil }
                rest = rest.dropFirst(fraction.count + 1)
            }
            guard let letter = rest.popFirst(), let index = units.firstIndex(where: { $0.letter == letter }) else { return nil }
            guard fraction.isEmpty || letter == 0x53 else { return nil }
            // Even twelve digits of weeks are far below the range of 64 bits, so neither line can overflow.
            seconds += number * units[index].seconds
            var place: Int64 = 100_000_000
            for digit in fraction {
                nanoseconds += Int64(digit - 0x30) * place
                place /= 10
            }
            units.removeFirst(index + 1)
            isEmpty = false
        }
        guard !isEmpty else { return nil }
        self = .seconds(seconds) + .nanoseconds(nanoseconds)
    }
}
