// Whoever imports Haul names its addresses, digests, records and requests without a further import.
@_exported public import HaulHTTP
@_exported public import HaulRecords
@_exported public import HaulTransfer
