import Testing
import WireFormats

@Suite("xxHash")
struct XXHashTests {
    /// The values of the reference implementation, version 0.8.4, for the bytes 0, 1, 2, … 255, 0, 1, … of a length. There is one example
    /// for each branch of the specification, and others at their limits.
    struct Example: Sendable, CustomTestStringConvertible {
        var length: Int
        var xxh64: UInt64
        var xxh3: UInt64
        var high: UInt64
        var low: UInt64

        var testDescription: String { "\(length) bytes" }

        init(_ length: Int, _ xxh64: UInt64, _ xxh3: UInt64, _ high: UInt64, _ low: UInt64) {
            (self.length, self.xxh64, self.xxh3, self.high, self.low) = (length, xxh64, xxh3, high, low)
        }

        static let all = [
            Example(0, 0xEF46_DB37_51D8_E999, 0x2D06_8005_38D3_94C2, 0x99AA_06D3_0147_98D8, 0x6001_C324_468D_497F),
            Example(1, 0xE934_A84A_DB05_2768, 0xC44B_DFF4_074E_ECDB, 0xA6CD_5E93_9200_0F6A, 0xC44B_DFF4_074E_ECDB),
            Example(3, 0xE5C7_BB45_33BC_65DD, 0x5F42_99FC_161C_9CBB, 0xE3B5_5F57_945A_17CF, 0x5F42_99FC_161C_9CBB),
            Example(4, 0xFFCE_D860_4453_CC1E, 0x60DA_B036_A582_11F2, 0xEB70_BF5F_C779_E9E6, 0xA611_1D53_E80A_3DB5),
            Example(8, 0x884A_1736_14B8_1B8D, 0x3A1C_2D7C_85AF_88F8, 0xE1E4_432A_6221_7FE4, 0xCFD5_0C61_C8BB_98C1),
            Example(9, 0x67D8_5784_A7C7_8C5B, 0xE961_2598_145B_B9DC, 0x16C7_69D8_3E4A_EBCE, 0x9079_3197_9DCA_3746),
            Example(16, 0x44B6_EF2F_B841_69F7, 0x8355_E3A6_F617_70DB, 0x7295_0631_8276_07E2, 0x8428_12CC_870D_CAE2),
            Example(17, 0x5603_E60C_5275_99B6, 0x9EF3_41A9_9DE3_7328, 0x685B_C458_B37D_057F, 0xC06E_233D_F772_9217),
            Example(128, 0x7A7F_E146_47B9_AB92, 0x85C6_174C_7FF4_C46B, 0x1479_2FC3_AF88_DC6C, 0x0532_1A0B_64D6_7B41),
            Example(129, 0x0BA2_5DFD_6E89_1FCF, 0xEC76_42B4_31BA_3E5A, 0xDD5E_74AC_6B45_F54E, 0xBC30_B633_82B0_9A3B),
            Example(240, 0x0129_47F0_DA6A_27B1, 0x375A_384D_957F_E865, 0x65B5_BE86_DA55_40E7, 0xC92B_68E1_6F83_BBB6),
            Example(241, 0x8D64_3F23_BF28_08E1, 0x02E8_CD95_421C_6D02, 0x1DA1_CB61_BCB8_A2A1, 0x02E8_CD95_421C_6D02),
            Example(256, 0x1FAC_BE84_06CD_904B, 0x9408_A443_3B95_2D71, 0xF1F8_A93F_5084_9AC3, 0x9408_A443_3B95_2D71),
            Example(257, 0x8038_1162_756D_40E6, 0xD02C_2570_4C5C_EE8A, 0xFD99_E499_2437_CDF2, 0xD02C_2570_4C5C_EE8A),
            Example(1024, 0x6F39_14F1_8FE4_DF57, 0xA870_F929_8439_8D22, 0x8388_5E85_3BB6_640C, 0xA870_F929_8439_8D22),
            Example(1025, 0x0614_C401_4913_0943, 0x78C8_6E91_EE93_9852, 0xE1E5_08F1_1076_3B46, 0x78C8_6E91_EE93_9852),
            Example(2048, 0x6853_4A48_B7BF_5F4D, 0xDD42_0471_FF96_BD00, 0xDF73_E076_8DD1_83FA, 0xDD42_0471_FF96_BD00),
            Example(4097, 0x64D3_AFB4_80F5_992A, 0xDEC4_9D6C_8543_D80F, 0xCB53_FF7D_280A_B2CA, 0xDEC4_9D6C_8543_D80F),
        ]
    }

    @Test("equals the reference implementation", arguments: Example.all)
    func reference(_ example: Example) {
        check(example, pieces: [bytes(example.length)])
    }

    @Test("of a stream is the same wherever it is split", arguments: Example.all)
    func splits(_ example: Example) {
        let whole = bytes(example.length)
        for size in [1, 7, 31, 32, 63, 64, 65, 255, 256, 257] {
            check(
                example,
                pieces: stride(from: 0, to: whole.count, by: size).map { Array(whole[$0..<min($0 + size, whole.count)]) })
        }
    }

    @Test("can be read before the end")
    func running() {
        var hash = XXH3()
        bytes(241).withUnsafeBytes { hash.update($0) }
        #expect(hash.value == Example.all.first { $0.length == 241 }?.xxh3)
        (241..<1025).map { UInt8(truncatingIfNeeded: $0) }.withUnsafeBytes { hash.update($0) }
        #expect(hash.value == Example.all.first { $0.length == 1025 }?.xxh3)
    }

    private func bytes(_ length: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0) } }

    private func check(_ example: Example, pieces: [[UInt8]]) {
        var xxh64 = XXH64()
        var xxh3 = XXH3()
        for piece in pieces {
            piece.withUnsafeBytes { bytes in
                xxh64.update(bytes)
                xxh3.update(bytes)
            }
        }
        #expect(xxh64.value == example.xxh64)
        #expect(xxh3.value == example.xxh3)
        #expect(xxh3.wideValue == (example.high, example.low))
    }
}
