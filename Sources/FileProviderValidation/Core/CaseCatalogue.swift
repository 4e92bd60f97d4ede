extension ValidationCase {
    /// Every case in the order of a full run: the basics first.
    public static let all: [ValidationCase] = [
        LifeCycleCases.all, DeclaringCases.all, ListingCases.all, IdentifierCases.all, NameCases.all, ReadingCases.all,
        ResumeCases.all, RangesCases.all, InPlaceCases.all, ClassicCases.all, RestartCases.all, KillCases.all,
        KillAnyCallCases.all,
        GrowthCases.all,
        ErrorsCases.all, ContentCases.all, CreatingCases.all, ModifyingCases.all, MovingCases.all, DeletingCases.all,
        TrashCases.all, VersionsCases.all,
        MetadataCases.all,
        PackagesCases.all, ChangesCases.all, EventsCases.all, ProgressCases.all, CancelCases.all, WritersCases.all,
        SignInCases.all, UsageCases.all, ThumbnailCases.all, UnreachableCases.all, ForeignCases.all,
    ].flatMap { $0 }

    /// The cases of a run: those up to a level whose names match an expression.
    ///
    /// - Parameters:
    ///   - level: the highest level, 1 to 10.
    ///   - filter: a regular expression that matches a part of the name; nil: all cases.
    /// - Throws: an error that says what is wrong with the expression.
    public static func selected(level: Int, filter: String? = nil) throws -> [ValidationCase] {
        let expression = try filter.map { try Regex($0) }
        return try all.filter { testCase in
            guard testCase.level <= level else { return false }
            guard let expression else { return true }
            return try expression.firstMatch(in: testCase.name) != nil
        }
    }
}
