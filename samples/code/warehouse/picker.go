// Package warehouse picks orders, packs them and books parcels.
package warehouse

import (
	"errors"
	"sort"
)

// ErrEmpty says that there is nothing to pick.
var ErrEmpty = errors.New("nothing to pick")

// Item is some of one product, at its place on the shelves.
type Item struct {
	ProductID string
	Quantity  int
	Aisle     int
	Shelf     int
}

// PickList is what a picker collects in one walk.
type PickList struct {
	OrderID string
	Items   []Item
}

// Route sorts the items so that the picker walks every second aisle backwards
// and never the same way twice.
func (p *PickList) Route() []Item {
	items := append([]Item(nil), p.Items...)
	sort.Slice(items, func(i, j int) bool { return before(items[i], items[j]) })
	return items
}

// before tells which of two items comes first on the walk.
func before(a, b Item) bool {
	if a.Aisle != b.Aisle {
		return a.Aisle < b.Aisle
	}
	if a.Aisle%2 == 1 {
		return a.Shelf > b.Shelf
	}
	return a.Shelf < b.Shelf
}

// Merge puts small orders together, as many as a trolley carries.
func Merge(lists []PickList, limit int) ([]PickList, error) {
	if len(lists) == 0 {
		return nil, ErrEmpty
	}
	var merged []PickList
	var open PickList
	for _, list := range lists {
		if len(open.Items)+len(list.Items) > limit && len(open.Items) > 0 {
			merged = append(merged, open)
			open = PickList{}
		}
		open.Items = append(open.Items, list.Items...)
	}
	return append(merged, open), nil
}
