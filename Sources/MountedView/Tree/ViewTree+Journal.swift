import FileSystemMessages

extension ViewTree {
    /// Records a node that the kernel knows, as it is now.
    func record(_ number: UInt64, _ state: inout State) {
        guard let journal, let node = state.nodes[number], node.lookUps > 0 || node.isRecorded else { return }
        let subject: NodeRecord.Subject
        switch node.subject {
        case .top: return
        case .account(let account): subject = .account(account)
        case .item(let item): subject = .item(item)
        }
        state.nodes[number]?.isRecorded = true
        journal.append(
            NodeRecord(
                number: number, parent: node.parent, name: node.isRemoved ? "" : node.name.text, inode: node.inode,
                subject: subject))
    }

    /// Records that nodes were forgotten.
    func recordGone(_ state: inout State) {
        for number in state.gone where state.nodes[number]?.isRecorded != true {
            journal?.append(NodeRecord(number: number, parent: 0, name: "", inode: 0, subject: nil))
        }
        state.gone = []
    }

    /// Makes the nodes of an earlier server. The kernel counts their look-ups, and takes them all back at once.
    static func restore(_ records: [NodeRecord], _ state: inout State) {
        for record in records {
            let subject: ViewNode.Subject
            switch record.subject {
            case .account(let account): subject = .account(account)
            case .item(let item): subject = .item(item)
            case nil: continue
            }
            var node = ViewNode(
                parent: record.parent, name: EntryName(record.name), subject: subject, inode: record.inode)
            node.lookUps = 1
            node.isRecorded = true
            node.isRemoved = record.name.isEmpty
            state.nodes[record.number] = node
            state.last = max(state.last, record.number)
        }
        for record in records where !record.name.isEmpty {
            state.nodes[record.parent]?.entries[EntryName(record.name)] = record.number
            if case .item(let item) = record.subject, !item.identifier.isEmpty,
                let account = account(of: record.parent, state)
            {
                state.numbers[Subject(account: account.identifier, identifier: item.identifier)] = record.number
            }
        }
    }
}
