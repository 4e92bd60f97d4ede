extension NameFolding {
    /// Each line has a letter without marks, then the letters that become this letter. The letters are lower case.
    private static let lines = """
        aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ
        bḃḅḇƀ
        cçćĉċčḉ
        dďḋḍḏḑḓđ
        eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ
        fḟ
        gĝğġģǧǵḡ
        hĥȟḣḥḧḩḫẖħ
        iìíîïĩīĭįǐȉȋḭḯỉịı
        jĵǰ
        kķǩḱḳḵ
        lĺļľḷḹḻḽł
        mḿṁṃ
        nñńņňǹṅṇṉṋ
        oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿ
        pṕṗ
        rŕŗřȑȓṙṛṝṟ
        sśŝşšșṡṣṥṧṩ
        tţťțṫṭṯṱẗŧ
        uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
        vṽṿ
        wŵẁẃẅẇẉẘ
        xẋẍ
        yýÿŷȳẏẙỳỵỷỹ
        zźżžẑẓẕƶ
        æǣǽ
        øǿ
        ſẛ
        ʒǯ
        αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ
        εέἐἑἒἓἔἕὲέ
        ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ
        ιΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ
        οόὀὁὂὃὄὅὸό
        ρῤῥ
        υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ
        ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ
        аӑӓ
        гѓ
        еѐёӗ
        жӂӝ
        зӟ
        ийѝӣӥ
        кќ
        оӧ
        уўӯӱӳ
        чӵ
        ыӹ
        эӭ
        ії
        ѵѷ
        әӛ
        өӫ
        うゔ
        かが
        きぎ
        くぐ
        けげ
        こご
        さざ
        しじ
        すず
        せぜ
        そぞ
        ただ
        ちぢ
        つづ
        てで
        とど
        はばぱ
        ひびぴ
        ふぶぷ
        へべぺ
        ほぼぽ
        ウヴ
        カガ
        キギ
        クグ
        ケゲ
        コゴ
        サザ
        シジ
        スズ
        セゼ
        ソゾ
        タダ
        チヂ
        ツヅ
        テデ
        トド
        ハバパ
        ヒビピ
        フブプ
        ヘベペ
        ホボポ
        ワヷ
        ヰヸ
        ヱヹ
        ヲヺ
        """

    /// The letter without marks, for each letter with marks.
    static let unmarked: [Unicode.Scalar: Unicode.Scalar] = {
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for line in lines.unicodeScalars.split(separator: "\n") {
            guard let letter = line.first else { continue }
            for marked in line.dropFirst() { table[marked] = letter }
        }
        return table
    }()
}
